import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { TenantId } from '../../../../domain/ids.ts';
import { readMemberNumber } from '../../../../domain/member-number.ts';
import { aProgramme, aTenant } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';

const app = await useApp();
const { db } = app;

type Card = { memberNumber: string; qr: string };
const card = (token: string) => app.call({ path: '/api/v1/consumer/member', token });
const rotate = (token: string, headers = {}) =>
  app.call({ method: 'POST', path: '/api/v1/consumer/member/rotate', token, headers });
const lookup = (token: string, member: string) =>
  app.call({ method: 'POST', path: '/api/v1/pos/members/lookup', token, body: { member } });
const aCustomer = () => app.signIn({ role: 'consumer', email: `ada.${randomUUID()}@example.com` });

async function aTill(tillAttach: boolean) {
  const tenantId: TenantId = await aTenant(db);
  await aProgramme(db, tenantId, { tillAttach });
  return app.signIn({ role: 'pos_operator', member: tenantId });
}

describe('GET /consumer/member', () => {
  it('200: a number of its own, the same at each read and at once', async () => {
    const { token } = await aCustomer();
    const answers = await Promise.all(Array.from({ length: 5 }, () => card(token)));
    const [first] = answers.map((answer) => answer.json<Card>());
    expect(readMemberNumber(first?.memberNumber ?? '')).toBe(first?.memberNumber);
    expect(first?.qr).toBe(`LP1:${first?.memberNumber}`);
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: first });
    const other = (await card((await aCustomer()).token)).json<Card>();
    expect(other.memberNumber).not.toBe(first?.memberNumber);
  });
});

describe('POST /consumer/member/rotate', () => {
  it('200: another number, and the one before finds nobody', async () => {
    const { token } = await aCustomer();
    const till = await aTill(true);
    const before = (await card(token)).json<Card>();
    expect(await lookup(till.token, before.qr)).toMatchObject({ status: 200 });
    const after = (await rotate(token)).json<Card>();
    expect(after.memberNumber).not.toBe(before.memberNumber);
    expect((await card(token)).body).toEqual(after);
    expect(await lookup(till.token, before.qr)).toMatchObject({ status: 404 });
    expect(await lookup(till.token, after.qr)).toMatchObject({ status: 200 });
  });

  it('200: replaced once, and stored sealed, for a request repeated under its key', async () => {
    const { token, userId } = await aCustomer();
    const key = { 'idempotency-key': 'lost-answer' };
    const after = await rotate(token, key);
    expect((await rotate(token, key)).body).toEqual(after.body);
    expect((await card(token)).body).toEqual(after.body);
    const { body } = await db('idempotency_keys').where({ userId }).first('body');
    expect(body).not.toContain(after.json<Card>().memberNumber);
  });

  it('429: a sixth within 24 hours, also at once; then again', async () => {
    const { token, userId } = await aCustomer();
    const answers = await Promise.all(Array.from({ length: 8 }, () => rotate(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(await rotate(token)).toMatchObject({
      status: 429,
      body: { issues: [{ code: 'too_many_rotations' }] },
    });
    const earlier = Array.from({ length: 5 }, () => new Date(Date.now() - 25 * 3_600_000));
    await db('users').where({ id: userId }).update({ memberRotations: earlier });
    expect(await rotate(token)).toMatchObject({ status: 200 });
  });
});

describe('POST /pos/members/lookup', () => {
  it('200: the initials, also of an operator, and by a number with blanks', async () => {
    const till = await aTill(true);
    const { token, userId } = await aCustomer();
    const { memberNumber } = (await card(token)).json<Card>();
    await db('users').where({ id: userId }).update({ name: 'Ada Lovelace' });
    const typed = ` ${memberNumber.slice(0, 4)} ${memberNumber.slice(4)}`;
    const found = { status: 200, body: { memberNumber, initials: 'AL' } };
    expect(await lookup(till.token, typed)).toMatchObject(found);
    await db('users').where({ id: userId }).update({ role: 'pos_operator' });
    expect(await lookup(till.token, memberNumber)).toMatchObject(found);
  });

  it.each([
    ['suspended', { status: 'suspended', statusBeforeSuspension: 'active' }],
    ['a merchant', { role: 'client' }],
  ])('404: somebody who is %s', async (_, state) => {
    const till = await aTill(true);
    const { token, userId } = await aCustomer();
    const { qr } = (await card(token)).json<Card>();
    await db('users').where({ id: userId }).update(state);
    expect(await lookup(till.token, qr)).toMatchObject({ status: 404 });
  });

  it('403: a shop that attaches no sales; 400: what is no number', async () => {
    const { qr } = (await card((await aCustomer()).token)).json<Card>();
    const till = await aTill(false);
    expect(await lookup(till.token, qr)).toMatchObject({
      status: 403,
      body: { issues: [{ code: 'till_attach_off' }] },
    });
    const other = await aTill(true);
    for (const member of ['', '123456789012', `${qr}1`]) {
      expect(await lookup(other.token, member)).toMatchObject({ status: 400 });
    }
  });

  it('429: an operator who tries numbers', async () => {
    const till = await aTill(true);
    const number = (nth: number) => {
      const digits = String(10_000_000_000 + nth);
      const last = Array.from({ length: 10 }, (_, digit) => `${digits}${digit}`);
      return last.find((text) => readMemberNumber(text) !== undefined) ?? '';
    };
    for (let nth = 0; nth < 30; nth++) await lookup(till.token, number(nth));
    expect(await lookup(till.token, number(31))).toMatchObject({ status: 429 });
  });
});
