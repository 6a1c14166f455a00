import { beforeEach, expect, it } from 'vitest';
import { doWork } from '../../activities/due-work/worker.ts';
import {
  createUnusualMovementActivities,
  tellOfUnusual,
} from '../../activities/unusual-movements.ts';
import type { TenantId, UserId, WalletId } from '../../domain/ids.ts';
import { MailError, type Mailer } from '../../gateways/mail/mailer.ts';
import { createLogger } from '../../gateways/telemetry/logger.ts';
import { aTenant, aUser, aWallet } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { aCreditedPayment } from '../support/points/payments.ts';

const { db } = await useDatabase();
const mails: { to: string; text: string; messageId: string | undefined }[] = [];
let found = 0;
let isAway = false;
const mailer: Mailer = {
  async send({ to, text, messageId }) {
    if (isAway) throw new MailError('Away.', true);
    mails.push({ to, text, messageId });
  },
  async close() {},
};
const metrics = {
  unusualConsumersFound(count: number) {
    found += count;
  },
};
const { noteUnusualMovements } = createUnusualMovementActivities({ db });
const log = createLogger({ level: 'silent', service: 'test' });
const tell = () => doWork({ db, log }, tellOfUnusual({ db, mailer, metrics }));

let email: string;
let ownerId: UserId;
let tenantId: TenantId;
let walletId: WalletId;
beforeEach(async () => {
  mails.length = 0;
  found = 0;
  isAway = false;
  await db('due_work').delete();
  email = `owner-${crypto.randomUUID()}@shop.example`;
  ownerId = await aUser(db, { role: 'client', email });
  tenantId = await aTenant(db, { ownerId });
  walletId = await aWallet(db, { tenantId });
});
const sell = async (number: number) => {
  for (let nth = 0; nth < number; nth++) await aCreditedPayment(db, walletId, 10);
};

it('owners are told of unusual movements once in 24 hours', async () => {
  await sell(5);
  await noteUnusualMovements();
  await tell();
  expect(mails).toEqual([]);
  await sell(1);
  await noteUnusualMovements();
  await tell();
  expect(mails).toMatchObject([{ to: email }]);
  expect(mails[0]?.text).toContain('a customer had more than 5 sales and codes');
  expect(found).toBe(1);
  await sell(1);
  await noteUnusualMovements();
  await tell();
  expect(mails).toHaveLength(1);
});

it('owners are told each in their language', async () => {
  await db('users').where({ id: ownerId }).update({ language: 'de' });
  const other = { role: 'client', email: `other-${email}` } as const;
  await db('memberships').insert({ tenantId, userId: await aUser(db, other), role: 'client' });
  await sell(6);
  await noteUnusualMovements();
  await tell();
  expect(mails.map(({ to }) => to)).toEqual([email, other.email]);
  expect(mails[0]?.text).toContain('hatte 1 Person innerhalb von 24 Stunden mehr als 5 Einkäufe');
  expect(mails[1]?.text).toContain('a customer had more than 5 sales');
});

it.each([{ role: 'consumer' }, { status: 'suspended' }] as const)(
  'an owner who may not see the shop any more is not told: %j',
  async (change) => {
    await db('users').where({ id: ownerId }).update(change);
    await sell(6);
    await noteUnusualMovements();
    await tell();
    expect(mails).toEqual([]);
  },
);

it('owners are told when the mail server is back, by a mail with the same id', async () => {
  await sell(6);
  isAway = true;
  await noteUnusualMovements();
  await tell();
  isAway = false;
  expect(mails).toEqual([]);
  await db('due_work').update({ dueAt: db.fn.now() });
  await tell();
  expect(mails).toHaveLength(1);
  await db('tenants').where({ id: tenantId }).update({ unusualToldAt: null });
  await noteUnusualMovements();
  await tell();
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1);
});

it('nobody is told of what is usual again by then', async () => {
  await sell(6);
  await noteUnusualMovements();
  await db('payments')
    .where({ walletId })
    .update({ createdAt: db.raw(`now() - interval '2 days'`) });
  await tell();
  expect(mails).toEqual([]);
  expect(await db('due_work').where({ kind: 'tell_of_unusual' })).toEqual([]);
});
