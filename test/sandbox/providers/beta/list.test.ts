import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { BetaSimulator } from '../../../../sandbox/providers/beta/simulator.ts';
import { get as getWith, MINUTE_MS, startConnected } from './client.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;
const Page = z.object({ elements: z.array(z.looseObject({ id: z.string() })), href: z.string() });

let beta: BetaSimulator;
let clock: { now: Date };
let bearer: string;

beforeEach(async () => {
  ({ beta, clock, bearer } = await startConnected());
});

afterEach(() => beta.stop());

const get = (path: string) => getWith(beta, `/M1/${path}`, bearer);

async function idsOf(path: string): Promise<string[]> {
  const { status, body } = await get(path);
  expect([status, path]).toEqual([200, path]);
  return Page.parse(body).elements.map(({ id }) => id);
}

/** Rings sales a minute apart, the last one now. */
function ringEveryMinute(count: number): string[] {
  const last = clock.now.getTime();
  return Array.from({ length: count }, (_, n) => {
    clock.now = new Date(last - (count - 1 - n) * MINUTE_MS);
    return beta.ring({ merchantId: 'M1', amount: n + 1 }).id;
  });
}

describe('GET payments', () => {
  it('newest first, page by page, until a page is not full', async () => {
    const rung = ringEveryMinute(7).toReversed();
    expect(await idsOf('payments')).toEqual(rung);
    expect(await idsOf('payments?limit=3')).toEqual(rung.slice(0, 3));
    expect(await idsOf('payments?limit=3&offset=6')).toEqual(rung.slice(6));
    expect(await idsOf('payments?limit=3&offset=9')).toEqual([]);
  });

  it('100 by default, and at most 1,000', async () => {
    for (let n = 0; n < 1001; n++) beta.ring({ merchantId: 'M1', amount: n });
    expect(await idsOf('payments')).toHaveLength(100);
    expect(await idsOf('payments?limit=5000')).toHaveLength(1000);
  });

  it('returns payments that match all filters', async () => {
    const rung = ringEveryMinute(5);
    const from = clock.now.getTime() - 3 * MINUTE_MS;
    const until = clock.now.getTime() - MINUTE_MS;
    const query = `filter=createdTime%3E=${from}&filter=createdTime%3C${until}`;
    expect(await idsOf(`payments?${query}`)).toEqual(rung.slice(1, 3).toReversed());
    expect(await idsOf('payments?filter=amount=2')).toEqual([rung[1]]);
    expect(await idsOf('payments?filter=result!=SUCCESS')).toEqual([]);
  });

  it('returns a payment by modifiedTime after a late change', async () => {
    const [first = ''] = ringEveryMinute(2);
    clock.now = new Date(clock.now.getTime() + 30 * MINUTE_MS);
    const query = `payments?filter=modifiedTime>=${clock.now.getTime()}`;
    expect(await idsOf(query)).toEqual([]);
    beta.refund(first);
    expect(await idsOf(query)).toEqual([first]);
  });

  it("expands, names the filter fields, and omits other merchants' payments", async () => {
    beta.addMerchant({ id: 'M2', name: 'Two' });
    beta.ring({ merchantId: 'M2', amount: 1 });
    const { id } = beta.ring({ merchantId: 'M1', amount: 1 });
    const { body, headers } = await get('payments?expand=order');
    expect(body.elements).toMatchObject([{ id, order: { currency: 'EUR' } }]);
    expect(headers.get('X-Beta-Allowed-Filter-Fields')?.split(',')).toContain('modifiedTime');
  });

  it('only the latest 90 days by default, and at most 90 days at a time', async () => {
    const startedMs = clock.now.getTime();
    const [old = ''] = ringEveryMinute(1);
    clock.now = new Date(startedMs + 91 * DAY_MS);
    expect(await idsOf('payments')).toEqual([]);
    const until = startedMs + DAY_MS;
    expect(await idsOf(`payments?filter=createdTime<=${until}`)).toEqual([old]);
    expect((await get(`payments?filter=createdTime>=${startedMs}`)).status).toBe(400);
  });

  it.each([
    'filter=nonsense=1',
    'filter=createdTime',
    'filter=createdTime>=x',
    'limit=-1',
    'offset=x',
  ])('400 for ?%s', async (query) => {
    expect(await get(`payments?${query}`)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/\w/) },
    });
  });
});

describe('GET orders and customers', () => {
  it('return lists of the same form', async () => {
    const { orderId } = beta.ring({ merchantId: 'M1', amount: 1 });
    expect(await idsOf('orders?expand=customers')).toEqual([orderId]);
    const { body } = await get('customers?filter=firstName=Ada&expand=emailAddresses');
    expect(body.elements).toMatchObject([{ emailAddresses: { elements: [{}, {}] } }]);
    expect(await idsOf('customers?filter=firstName=Bob')).toEqual([]);
  });
});
