import { beforeEach, describe, expect, it } from 'vitest';
import { doWork } from '../../../activities/due-work/worker.ts';
import {
  createFailingEndpointActivities,
  tellOfEndpoint,
} from '../../../activities/outgoing/failing-endpoints.ts';
import { longestWait } from '../../../db/outgoing/backlog.ts';
import * as endpoints from '../../../db/outgoing/endpoints.ts';
import { fanOut } from '../../../db/outgoing/fan-out.ts';
import type { EndpointId, TenantId } from '../../../domain/ids.ts';
import { MailError, type Mailer } from '../../../gateways/mail/mailer.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import { aCredit, aTenant, aUser, aWallet, postByHand } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { anEndpoint, untilSettled } from '../../support/http/endpoints.ts';

const { db } = await useDatabase();

const mails: string[] = [];
let isAway = false;
const mailer: Mailer = {
  async send({ to }) {
    if (isAway) throw new MailError('Away.', true);
    mails.push(to);
  },
  async close() {},
};
const { disableFailingEndpoints } = createFailingEndpointActivities({ db });
const log = createLogger({ level: 'silent', service: 'test' });
const tell = () => doWork({ db, log }, tellOfEndpoint({ db, mailer }));

let tenantId: TenantId;
let id: EndpointId;
beforeEach(async () => {
  mails.length = 0;
  isAway = false;
  const ownerId = await aUser(db, { role: 'client', email: `owner-${Date.now()}@shop.example` });
  tenantId = await aTenant(db, { ownerId });
  id = (await anEndpoint(db, tenantId)).id;
});

const daysAgo = (days: number) => db.raw(`now() - interval '${days} days'`);
const set = (values: object) => db('webhook_endpoints').where({ id }).update(values);

describe('an endpoint that takes nothing', () => {
  it.each([
    ['for five days while a delivery has failed', 5, true, true],
    ['for four days', 4, true, false],
    ['for five days while none has failed yet', 5, false, false],
  ])('%s', async (_, days, hasFailed, isDisabled) => {
    await set({ activeSince: daysAgo(9), deliveredAt: daysAgo(days) });
    if (hasFailed) await set({ failedSince: daysAgo(1) });
    expect(await disableFailingEndpoints()).toBe(isDisabled ? 1 : 0);
    await tell();
    expect(mails).toEqual(isDisabled ? [expect.stringMatching(/^owner-/)] : []);
    expect(await endpoints.get(db, tenantId, id)).toMatchObject({
      status: isDisabled ? 'disabled' : 'active',
      disabledReason: isDisabled ? 'failing' : null,
    });
    expect(await disableFailingEndpoints()).toBe(0);
    expect(await tell()).toBe(0);
    expect(mails).toHaveLength(isDisabled ? 1 : 0);
  });

  it('is told of when the mail server is back', async () => {
    await set({ activeSince: daysAgo(9), failedSince: daysAgo(1) });
    isAway = true;
    expect(await disableFailingEndpoints()).toBe(1);
    await tell();
    isAway = false;
    await tell();
    expect(mails).toEqual([]);
    await db('due_work').update({ dueAt: db.fn.now() });
    await tell();
    expect(mails).toHaveLength(1);
  });
});

it('how long events wait is measured at endpoints that answer', async () => {
  await db('webhook_endpoints').whereNot({ id }).update({ status: 'disabled' });
  expect(await longestWait(db)).toBe(0);
  const walletId = await aWallet(db, { tenantId });
  await db.transaction((tx) => postByHand(tx, [aCredit(walletId, 1)]));
  await db('tenant_events')
    .where({ tenantId })
    .update({ occurredAt: daysAgo(1) });
  expect(await longestWait(db)).toBeGreaterThan(86_000);
  await untilSettled(db);
  await fanOut(db, tenantId, 10);
  expect(await longestWait(db)).toBeLessThan(600);
  await db('webhook_deliveries')
    .where({ endpointId: id })
    .update({ nextAttemptAt: daysAgo(2) });
  expect(await longestWait(db)).toBeGreaterThan(86_000);
  await set({ failures: 3 });
  expect(await longestWait(db)).toBe(0);
});
