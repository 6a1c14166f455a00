import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { inBrowser } from '../support/http/browser.ts';
import { csvOf, runImports } from '../support/points/imports.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// How a merchant brings members over, and an administrator approves it and takes it back.

const shop = await useShop();
const { open } = useScreens(shop);
const { email } = PEOPLE.consumer;

const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);
const fileOf = (...lines: string[]) => ({
  name: 'members.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(csvOf(lines)),
});

describe('an import', inBrowser, () => {
  it('is uploaded by the merchant, with its mistakes, and can be withdrawn', async () => {
    const [app, person, path] = ['portal', 'merchant', '/portal/imports'] as const;
    const screen = await open({ app, person, path, size: 'phone' });
    const { page } = screen;
    await seen(page).toContain('No file yet');
    const choose = page.getByLabel('Choose a file');
    await choose.setInputFiles({ ...fileOf(), buffer: Buffer.from('name,points\nAda,1') });
    await page.getByText('The file has to begin with the line email,phone,points').waitFor();
    expect(screen.complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    await expectSound(screen);
    await choose.setInputFiles(fileOf('nobody@example.com,,7'));
    await seen(page).toMatch(/Uploaded[\s\S]*Waits for approval[\s\S]*1 line · 7 points/);
    await page.getByRole('button', { name: 'Withdraw this file of 1 line' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw it' }).click();
    await seen(page).toContain('Withdrawn');
    await choose.setInputFiles(fileOf(`${email},,120`, 'new@example.com,,80', 'nobody,,5'));
    await seen(page).toMatch(/3 lines · 200 points/);
    await page.getByText('1 line with a mistake was left out').click();
    await seen(page).toContain('Line 4: an address, a number or the points are not written');
    await expectSound(screen);
  });

  it('is approved by an administrator who repeats its sum', async () => {
    await shop.as('consumer').showProfile();
    const [app, person, path] = ['office', 'admin', '/office/imports'] as const;
    const screen = await open({ app, person, path, size: 'desktop' });
    const { page } = screen;
    await seen(page).toMatch(/Corner Café[\s\S]*Waits for approval[\s\S]*3 lines · 200 points/);
    // Nobody has points before it is approved.
    await seen(page).toContain('Once approved, by what was known at the upload: 1 has the points');
    await page.getByRole('button', { name: 'Approve the file of Corner Café' }).click();
    await page.getByLabel('Sum of points').fill('20');
    await page.getByRole('button', { name: 'Bring them over' }).click();
    await page.getByText('The file has another sum of points. Look at it again.').waitFor();
    expect(screen.complaints.splice(0)).toEqual([expect.stringContaining('422')]);
    await expectSound(screen);
    await page.getByLabel('Sum of points').fill('200');
    await page.getByRole('button', { name: 'Bring them over' }).click();
    await seen(page).toMatch(/are being brought over[\s\S]*Is being brought over/);
  });

  it('tells the merchant who has the points, and the customer where they are from', async () => {
    await runImports(shop.db);
    const [app, person, path] = ['portal', 'merchant', '/portal/imports'] as const;
    const screen = await open({ app, person, path, size: 'desktop', scheme: 'dark' });
    await seen(screen.page).toMatch(/Brought over[\s\S]*has the points · 1 has not signed up yet/);
    await expectSound(screen);
    const wallet = await open({ app: 'wallet', person: 'consumer', size: 'phone' });
    await wallet.page.getByRole('link', { name: /Corner Café/ }).click();
    await seen(wallet.page).toContain('120');
  });

  it('is taken back by the administrator, with a reason', async () => {
    const [app, person, path] = ['office', 'admin', '/office/imports'] as const;
    const screen = await open({ app, person, path, size: 'phone' });
    const { page } = screen;
    await page.getByRole('button', { name: 'Take back the file of Corner Café' }).click();
    await page.getByLabel('Reason').fill('The file of another shop.');
    await expectSound(screen);
    await page.getByRole('button', { name: 'Take them back' }).click();
    await seen(page).toContain('are being taken back');
    await runImports(shop.db);
    await page.reload();
    await seen(page).toContain('Taken back');
    await expectSound(screen);
  });
});
