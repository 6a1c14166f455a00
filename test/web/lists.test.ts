import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { inBrowser } from '../support/http/browser.ts';
import { expectSound, SOON, useScreens } from './screens.ts';
import { useShop } from './shop.ts';

// Lists whose filters are in the address of the page, and which are saved as CSV.

const shop = await useShop();
const { open } = useScreens(shop);
const { email } = PEOPLE.consumer;
await shop.sell({ email, amount: 1_250, createdAt: new Date() });
await shop.sell({ amount: 300 });

const seen = (page: Page) => expect.poll(() => page.getByRole('main').innerText(), SOON);
const chosen = (page: Page, label: string) =>
  page.getByRole('main').getByLabel(label, { exact: true }).evaluate(textOfChoice);
const textOfChoice = (element: object) =>
  'selectedOptions' in element ? Reflect.get(Object(element.selectedOptions)[0], 'text') : '';

async function saved(page: Page) {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as CSV' }).click(),
  ]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

const portal = (path: string, size: 'phone' | 'desktop' = 'desktop') =>
  open({ app: 'portal', person: 'merchant', path: `/portal${path}`, size });

describe('a list that cannot be saved', inBrowser, () => {
  it('says whether the connection broke, or the service failed', async () => {
    const { page } = await portal('/transactions');
    await seen(page).toContain('€12.50');
    const save = () => page.getByRole('button', { name: 'Download as CSV' }).click();
    await page.route(/\/transactions\?.*columns=named/, (route) =>
      route.fulfill({
        status: 500,
        headers: { 'access-control-allow-origin': '*' },
        json: { code: 'INTERNAL_ERROR', message: 'Something went wrong.', requestId: 'r-1' },
      }),
    );
    await save();
    await seen(page).toContain('The service has an error. Try again.');
    await page.evaluate(() => {
      const { fetch } = globalThis;
      globalThis.fetch = async (asked, given) => {
        if (!(asked instanceof Request && asked.url.includes('columns=named'))) {
          return fetch(asked, given);
        }
        const breaksOff = new ReadableStream({
          pull: (controller) => controller.error(new TypeError('network error')),
        });
        const headers = { 'content-type': 'text/csv', 'content-disposition': 'attachment' };
        return new Response(breaksOff, { headers });
      };
    });
    await save();
    await seen(page).toContain('The service cannot be reached.');
  });
});

describe.each(['phone', 'desktop'] as const)('on a %s', inBrowser, (size) => {
  it('sales are the same after loading the page again', async () => {
    const screen = await portal('/transactions', size);
    const { page } = screen;
    await seen(page).toContain('€12.50');
    await page.getByLabel('Outcome').selectOption('Known customer');
    await page.getByLabel('Time').selectOption('Today');
    await expect.poll(() => page.url(), SOON).toMatch(/outcome=credited&days=today$/);
    await page.reload();
    await seen(page).toContain('€12.50');
    expect(await chosen(page, 'Outcome')).toBe('Known customer');
    expect(await chosen(page, 'Time')).toBe('Today');
    await page.getByLabel('Time').selectOption('Yesterday');
    await seen(page).toContain('There are no such sales.');
    await expectSound(screen);
  });

  it('customers, codes and history keep what was chosen, and pass over the rest', async () => {
    const screen = await portal('/consumers?which=owes', size);
    const { page } = screen;
    await seen(page).toContain('There is no such customer.');
    await page.goto(`${shop.url}/portal/consumers?which=nonsense`);
    await seen(page).toContain('@example.com');
    expect(await chosen(page, 'Show')).toBe('All');
    await page.goto(`${shop.url}/portal/codes?status=used&days=last-month&from=nonsense`);
    await seen(page).toContain('There are no such codes.');
    expect(await chosen(page, 'Status')).toBe('Used');
    expect(await chosen(page, 'Time')).toBe('Last month');
    await page.goto(`${shop.url}/portal/history?action=campaign.end`);
    await seen(page).toContain('There are no such entries.');
    expect(await chosen(page, 'What was done')).toBe('Ended a campaign');
    await expectSound(screen);
  });
});

describe('new rows', inBrowser, () => {
  it('are counted, and shown when that is pressed', async () => {
    const screen = await portal('/transactions', 'phone');
    const { page } = screen;
    await seen(page).toContain('€12.50');
    await shop.sell({ email, amount: 4_321, createdAt: new Date() });
    const button = page.getByRole('button', { name: '1 new' });
    await button.waitFor();
    expect(await page.getByText('€43.21').count()).toBe(0);
    await expectSound(screen);
    await button.click();
    await seen(page).toContain('€43.21');
    await expect.poll(() => button.count(), SOON).toBe(0);
  });
});

describe('CSV', inBrowser, () => {
  it('of customers, codes and history is for people', async () => {
    const { page } = await portal('/consumers');
    await seen(page).toContain('@example.com');
    const customers = await saved(page);
    expect(customers.name).toBe('customers.csv');
    expect(customers.text).toMatch(/^\uFEFFCustomer \(e-mail\),[\s\S]*,EUR,Active,/);
    await page.goto(`${shop.url}/portal/codes`);
    expect((await saved(page)).text).toMatch(/^\uFEFFIssued \(/);
    await page.goto(`${shop.url}/portal/history`);
    expect((await saved(page)).text).toMatch(/^\uFEFFWhen \(/);
  });

  it('of the audit log and of people is for administrators', async () => {
    const { page } = await open({
      app: 'office',
      person: 'admin',
      path: `/office/people?q=${email}`,
      size: 'desktop',
    });
    await seen(page).toContain(email);
    const people = await saved(page);
    expect(people.name).toBe('people.csv');
    expect(people.text).toContain(`,${email},`);
    await page.goto(`${shop.url}/office/audit?action=nonsense&days=all`);
    expect((await saved(page)).text).toMatch(/^\uFEFFWhen \([^)]+\),What was done,Done by,/);
  });
});
