import { generate } from 'lean-qr';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import { z } from 'zod';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { required } from '../support/factories.ts';
import { SOON } from './screens.ts';
import type { TestShop } from './shop.ts';

// What the tests of the till have in common.

/** A code of Ada's, or of another person, for as many cents as points. */
export async function aCode(
  shop: TestShop,
  points: number,
  person: 'consumer' | 'operator' = 'consumer',
): Promise<string> {
  await shop.sell({ email: PEOPLE[person].email, amount: points });
  const client = shop.as(person);
  const [wallet] = await client.listWallets();
  const body = { pointsToRedeem: points };
  const { redemptionCode } = await client.confirmRedemption({
    walletId: required(wallet).id,
    body,
  });
  return redemptionCode;
}

/** A photograph of a QR code: what the file of a camera holds, a JPEG per picture. */
export async function pictureOf(text: string): Promise<Buffer> {
  const code = generate(text);
  const [pixels, margin] = [12, 6];
  const side = (code.size + 2 * margin) * pixels;
  const raw = Buffer.alloc(side * side, 255);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const at = [x, y].map((value) => Math.floor(value / pixels) - margin);
      if (code.get(at[0] ?? 0, at[1] ?? 0)) raw[y * side + x] = 0;
    }
  }
  return sharp(raw, { raw: { width: side, height: side, channels: 1 } })
    .resize(640, 480, { fit: 'contain', background: '#fff' })
    .toColourspace('srgb')
    .jpeg({ quality: 95 })
    .toBuffer();
}

/** Waits for what a page says. */
export const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);

/** The field of the till, which has the focus all the time. */
export const fieldOf = (page: Page) => page.getByLabel('Code', { exact: true });

/** Waits until what is typed goes into the field, without a press. */
export const isFocused = (page: Page) =>
  expect
    .poll(() => page.evaluate('document.activeElement?.matches(".code-field input")'), SOON)
    .toBe(true);

/** Types as a person or a hand scanner does: into whatever has the focus. */
export async function type(page: Page, code: string): Promise<void> {
  await isFocused(page);
  await page.keyboard.type(code);
}

/** The button that takes a code, once it can be pressed. */
export async function takeButton(page: Page, amount: string) {
  const button = page.getByRole('button', { name: `Take ${amount} off` });
  await expect.poll(() => button.isEnabled(), SOON).toBe(true);
  return button;
}

/** Opens what is set for the till, by the account menu. */
export async function openSettings(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account: / }).click();
  await page.getByRole('button', { name: 'This till' }).click();
  await page.getByRole('dialog').waitFor();
}

const Acts = z.object({ keys: z.number(), presses: z.number() });

/** Counts from now on the keys and presses that a till gets; returns how to read them. */
export async function countActs(page: Page) {
  await page.evaluate(`
    globalThis.acts = { keys: 0, presses: 0 };
    addEventListener('keydown', () => { acts.keys += 1; }, true);
    addEventListener('pointerdown', () => { acts.presses += 1; }, true);
  `);
  return async () => Acts.parse(await page.evaluate('globalThis.acts'));
}
