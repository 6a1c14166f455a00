import { expect, it } from 'vitest';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

const shop = await useShop();
const { open } = useScreens(shop);

it('signs in', async () => {
  const screen = await open({ app: 'wallet', person: 'consumer' });
  await expect.poll(() => screen.page.locator('main').textContent(), SOON).toContain('ada@');
  await expectSound(screen);
  await screen.page.reload();
  await expect.poll(() => screen.page.locator('main').textContent(), SOON).toContain('ada@');
});
