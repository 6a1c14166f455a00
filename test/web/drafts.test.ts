import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { required } from '../support/factories.ts';
import { inBrowser } from '../support/http/browser.ts';
import { refusing } from './refusing.ts';
import { isIn, SOON, signIn, signOut, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// What becomes of what somebody was writing when their sign-in ended.

const shop = await useShop();
const { open } = useScreens(shop);

const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true });
/** What a tab keeps of what was being written. */
const keptIn = (page: Page) =>
  page.evaluate(
    `Object.keys(sessionStorage).filter((key) => key.startsWith('loyalty.draft.')).join()`,
  );

/** Has the sign-in end by what is pressed, and signs in again. */
async function signInAgain(page: Page, person: 'merchant' | 'admin', press: () => Promise<void>) {
  await refusing(shop, page, 'every token');
  await press();
  await signInButton(page).waitFor();
  await page.unrouteAll();
  await signIn(page, person);
  await expect.poll(() => isIn(page), SOON).toBe(true);
}

async function aRuleBeingWritten() {
  const path = '/portal/rules/new';
  const { page } = await open({ app: 'portal', person: 'merchant', path, size: 'desktop' });
  await page.getByLabel('Most points of one sale').fill('77');
  await page.getByLabel('Points for each €1.00').fill('12');
  return page;
}

describe('what was being written when the sign-in ended', inBrowser, () => {
  it('is there again for the same person: a rule', async () => {
    const page = await aRuleBeingWritten();
    const publish = page.getByRole('button', { name: 'Publish' });
    await signInAgain(page, 'merchant', () => publish.click());
    const most = page.getByLabel('Most points of one sale');
    await expect.poll(() => most.inputValue(), SOON).toBe('77');
    expect(await page.getByLabel('Points for each €1.00').inputValue()).toBe('12');
    // Whoever leaves the form by themselves begins anew.
    await page.getByRole('link', { name: 'Rules', exact: true }).first().click();
    await page.getByRole('link', { name: 'Change the rule' }).click();
    await expect.poll(() => most.inputValue(), SOON).toBe('');
    expect(await keptIn(page)).toBe('');
  });

  it('is there again for the same person: the profile', async () => {
    const path = '/portal/profile';
    const { page } = await open({ app: 'portal', person: 'merchant', path });
    await page.getByLabel('City').fill('Berlin');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await signInAgain(page, 'merchant', () => save.click());
    await expect.poll(() => page.getByLabel('City').inputValue(), SOON).toBe('Berlin');
    await save.click();
    await page.getByText('Saved.').waitFor();
    expect(await keptIn(page)).toBe('');
    const body = { profile: { city: 'Hamburg' } };
    await shop.as('merchant').updateOnboarding({ tenantId: shop.tenantId, body });
    await page.reload();
    await expect.poll(() => page.getByLabel('City').inputValue(), SOON).toBe('Hamburg');
  });

  it('is there again for the same person: a correction of a balance', async () => {
    await shop.sell({ email: PEOPLE.consumer.email, amount: 500 });
    const { id } = required((await shop.as('consumer').listWallets())[0]);
    const { page } = await open({ app: 'office', person: 'admin', path: `/office/wallets/${id}` });
    const correct = page.getByRole('button', { name: 'Correct the balance' });
    await correct.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Add points').check();
    await dialog.getByLabel('Points', { exact: true }).fill('25');
    await dialog.getByLabel('Reason').fill('A gift.');
    await signInAgain(page, 'admin', () => dialog.getByRole('button', { name: /^Add €/ }).click());
    await correct.click();
    await expect.poll(() => dialog.getByLabel('Reason').inputValue(), SOON).toBe('A gift.');
    expect(await dialog.getByLabel('Points', { exact: true }).inputValue()).toBe('25');
    expect(await dialog.getByLabel('Add points').isChecked()).toBe(true);
    await dialog.getByRole('button', { name: /^Add €/ }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await keptIn(page)).toBe('');
  });

  it('is gone once somebody else signs in', async () => {
    const page = await aRuleBeingWritten();
    await refusing(shop, page, 'every token');
    await page.getByRole('button', { name: 'Publish' }).click();
    await signInButton(page).waitFor();
    expect(await keptIn(page)).toContain(PEOPLE.merchant.sub);
    await page.unrouteAll();
    await signIn(page, 'operator');
    await page.getByText('this page is for somebody else').waitFor();
    expect(await keptIn(page)).toBe('');
  });

  it('is gone when they sign out, in this tab or in another', async () => {
    const page = await aRuleBeingWritten();
    const other = await page.context().newPage();
    await other.goto(`${shop.url}/portal/rules/new`);
    await other.getByLabel('Most points of one sale').fill('78');
    await expect.poll(() => keptIn(other), SOON).not.toBe('');
    await signOut(page);
    await signInButton(other).waitFor();
    expect(await keptIn(other)).toBe('');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signInButton(page).waitFor();
    expect(await keptIn(page)).toBe('');
  });
});
