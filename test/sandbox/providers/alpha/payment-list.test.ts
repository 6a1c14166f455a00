import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AlphaSimulator } from '../../../../sandbox/providers/alpha/simulator.ts';
import { errorBody, get as getWith, idsIn, MINUTE_MS, startConnectedAlpha } from './client.ts';

let alpha: AlphaSimulator;
let clock: { now: Date };
let bearer: string;

beforeEach(async () => {
  ({ alpha, clock, bearer } = await startConnectedAlpha());
});

afterEach(() => alpha.stop());

const get = (path: string, token = bearer) => getWith(alpha, path, token);

/** Rings sales a minute apart, the last one now. */
function ringEveryMinute(count: number, locationId = 'MAIN'): string[] {
  const last = clock.now;
  const rung = Array.from({ length: count }, (_, n) => {
    clock.now = new Date(last.getTime() - (count - 1 - n) * MINUTE_MS);
    return alpha.ring({ merchantId: 'ML1', locationId, amount: n, capture: 'later' }).id;
  });
  clock.now = last;
  return rung;
}

describe('GET /v2/payments', () => {
  it('payments of the main location only, newest first', async () => {
    const main = ringEveryMinute(3);
    ringEveryMinute(2, 'SIDE');
    expect(idsIn((await get('/v2/payments')).body)).toEqual(main.toReversed());
  });

  it('payments of the named location', async () => {
    ringEveryMinute(3);
    const side = ringEveryMinute(2, 'SIDE');
    const { body } = await get('/v2/payments?location_id=SIDE&sort_order=ASC');
    expect(idsIn(body)).toEqual(side);
  });

  it('payments created within both bounds', async () => {
    const rung = ringEveryMinute(5);
    const query = 'begin_time=2026-03-01T11:57:00Z&end_time=2026-03-01T13:59:00%2B02:00';
    const { body } = await get(`/v2/payments?${query}&sort_order=ASC`);
    expect(idsIn(body)).toEqual(rung.slice(1, 4));
  });

  it('no payments older than a year, unless begin_time is earlier', async () => {
    const [old] = ringEveryMinute(1);
    clock.now = new Date('2027-03-02T12:00:00.000Z');
    bearer = alpha.issueToken('ML1').accessToken;
    expect((await get('/v2/payments')).body).toEqual({});
    expect(idsIn((await get('/v2/payments?begin_time=2026-01-01T00:00:00Z')).body)).toEqual([old]);
  });

  it('payments by updated_at, including a late capture', async () => {
    const [first = '', second] = ringEveryMinute(2);
    clock.now = new Date('2026-03-01T12:30:00.000Z');
    alpha.capture(first);
    const order = 'sort_field=UPDATED_AT&sort_order=ASC';
    expect(idsIn((await get(`/v2/payments?${order}`)).body)).toEqual([second, first]);

    const query = `updated_at_begin_time=2026-03-01T12:30:00.000Z&${order}`;
    expect(idsIn((await get(`/v2/payments?${query}`)).body)).toEqual([first]);
    expect((await get(`/v2/payments?begin_time=2026-03-01T12:30:00Z&${order}`)).body).toEqual({});
  });

  it.each([
    ['total=2', 1],
    ['card_brand=VISA', 3],
    ['card_brand=AMEX', 0],
    ['last_4=1111', 3],
    ['is_offline_payment=true', 0],
    ['sort_field=OFFLINE_CREATED_AT', 0],
    ['location_id=UNKNOWN', 0],
  ])('?%s finds %i of 3', async (query, count) => {
    ringEveryMinute(3);
    expect(idsIn((await get(`/v2/payments?${query}`)).body)).toHaveLength(count);
  });

  it('at most 100 per page, even when more are requested', async () => {
    ringEveryMinute(130);
    const { body } = await get('/v2/payments?limit=1000');
    expect(idsIn(body)).toHaveLength(100);
    expect(idsIn((await get(`/v2/payments?limit=1000&cursor=${body.cursor}`)).body)).toHaveLength(
      30,
    );
  });

  it('each payment once, page by page, while further sales are rung', async () => {
    const rung = ringEveryMinute(7);
    const query = '/v2/payments?limit=3&sort_order=ASC&end_time=2026-03-01T12:00:00Z';
    const found: string[] = [];
    let page = await get(query);
    for (let n = 0; n < 5; n++) {
      found.push(...idsIn(page.body));
      if (page.body.cursor === undefined) break;
      clock.now = new Date(clock.now.getTime() + MINUTE_MS);
      ringEveryMinute(1);
      page = await get(`${query}&cursor=${page.body.cursor}`);
    }
    expect(found).toEqual(rung);
  });

  it.each(['ASC', 'DESC'])(
    'each payment once, page by page, within one millisecond: %s',
    async (order) => {
      const rung = [1, 2, 3, 4, 5].map(() => ringEveryMinute(1)[0]);
      const query = `/v2/payments?limit=2&sort_order=${order}`;
      const first = await get(query);
      const second = await get(`${query}&cursor=${first.body.cursor}`);
      const third = await get(`${query}&cursor=${second.body.cursor}`);
      expect(third.body.cursor).toBeUndefined();
      const found = [first, second, third].flatMap(({ body }) => idsIn(body));
      expect(found).toHaveLength(5);
      expect(new Set(found)).toEqual(new Set(rung));
    },
  );

  it.each([
    { change: '&limit=2', later: 0, because: 'other parameters' },
    { change: '', later: 16, because: 'more than 15 minutes old' },
    { change: 'x', later: 0, because: 'invalid content' },
  ])('400 INVALID_CURSOR for a cursor with $because', async ({ change, later }) => {
    ringEveryMinute(3);
    const { body } = await get('/v2/payments?limit=1');
    clock.now = new Date(clock.now.getTime() + later * MINUTE_MS);
    const limit = change === '' || change === 'x' ? '&limit=1' : change;
    const torn = change === 'x' ? 'x' : '';
    const answer = await get(`/v2/payments?cursor=${torn}${body.cursor}${limit}`);
    expect(answer).toMatchObject({
      status: 400,
      body: errorBody('INVALID_REQUEST_ERROR', 'INVALID_CURSOR'),
    });
  });

  it.each([
    ['begin_time=yesterday', 'INVALID_TIME'],
    ['begin_time=2026-03-01T12:00:01Z&end_time=2026-03-01T12:00:00Z', 'INVALID_TIME_RANGE'],
    ['begin_tme=2026-03-01T12:00:01Z', 'UNKNOWN_QUERY_PARAMETER'],
    ['limit=0', 'VALUE_TOO_LOW'],
    ['limit=ten', 'EXPECTED_INTEGER'],
    ['sort_order=UP', 'INVALID_ENUM_VALUE'],
  ])('400 for ?%s: %s', async (query, code) => {
    const answer = await get(`/v2/payments?${query}`);
    expect(answer).toMatchObject({ status: 400, body: errorBody('INVALID_REQUEST_ERROR', code) });
  });

  it('no payments of another merchant', async () => {
    ringEveryMinute(2);
    alpha.addMerchant({ id: 'ML2', name: 'Two' });
    const { accessToken } = alpha.issueToken('ML2');
    expect((await get('/v2/payments', accessToken)).body).toEqual({});
    expect((await get('/v2/payments?location_id=MAIN', accessToken)).body).toEqual({});
  });
});
