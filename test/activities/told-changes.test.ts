import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { doWork } from '../../activities/due-work/worker.ts';
import { remindOfLoss, tellOfChange } from '../../activities/told-changes.ts';
import * as auditLog from '../../db/audit-log.ts';
import { disconnect } from '../../db/connections/pos-connections.ts';
import { current, flag, unflag } from '../../db/connections/tokens.ts';
import { adjust } from '../../db/ledger/adjusting.ts';
import * as wallets from '../../db/ledger/wallets.ts';
import { newId } from '../../db/new-id.ts';
import * as operations from '../../db/users/operations.ts';
import type { ConnectionId, GoodwillId, TenantId, UserId } from '../../domain/ids.ts';
import { type Mail, MailError } from '../../gateways/mail/mailer.ts';
import { createLogger } from '../../gateways/telemetry/logger.ts';
import {
  anAlphaConnection,
  aTenant,
  aUser,
  aWallet,
  required,
  type UserOptions,
} from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { aGoodwillRequest } from '../support/points/goodwill.ts';

const DOMAIN = 'staff.example';
const log = createLogger({ level: 'silent', service: 'test' });
const { db } = await useDatabase();

let mails: Mail[];
let failures: Map<string, MailError>;
let ownerId: UserId;
let tenantId: TenantId;
beforeEach(async () => {
  mails = [];
  failures = new Map();
  await db('due_work').delete();
  await db('users').where({ role: 'admin' }).update({ role: 'consumer' });
  ownerId = await aUser(db, { role: 'client', email: `owner-${randomUUID()}@example.com` });
  tenantId = await aTenant(db, { name: 'Corner\nCafé', ownerId });
});

const deps = {
  db,
  frontendUrl: 'https://app.shop.example',
  objectsUrl: 'https://api.shop.example/objects',
  adminEmailDomain: DOMAIN,
  mailer: {
    async send(mail: Mail) {
      const failure = failures.get(mail.to);
      if (failure !== undefined) throw failure;
      mails.push(mail);
    },
    async close() {},
  },
};
const tell = () => doWork({ db, log }, tellOfChange(deps));
const remind = () => doWork({ db, log }, remindOfLoss(deps));
const later = () => db('due_work').update({ dueAt: db.fn.now(), takenUntil: null });

const anAct = (some: Partial<auditLog.NewAuditEntry>): auditLog.NewAuditEntry => ({
  ...auditLog.byUser(ownerId, 'request'),
  action: 'rule.publish',
  targetType: 'rule',
  targetId: randomUUID(),
  tenantId,
  reason: null,
  before: {},
  after: { version: 2, conversionRate: 1 },
  ...some,
});
const record = (some: Partial<auditLog.NewAuditEntry>) =>
  db.transaction((tx) => auditLog.insert(tx, anAct(some)));
const emailOf = async (id: UserId): Promise<string> =>
  required(await db('users').where({ id }).first<{ email: string }>('email')).email;
const anOwner = async (email: string, user: UserOptions = {}) => {
  const id = await aUser(db, { role: 'client', email, ...user });
  await db('memberships').insert({ tenantId, userId: id, role: 'client' });
};

describe('what changed in a shop', () => {
  it.each([
    'operator.accept',
    'rule.publish',
    'endpoint.create',
    'endpoint.rotate',
    'tenant.set_currency',
    'tenant.set_time_zone',
    'connection.connect',
    'connection.lost',
  ] as const)('is told once to all owners: %s', async (action) => {
    await anOwner('second@example.com');
    await record({ action });
    expect(await tell()).toBe(1);
    expect(await tell()).toBe(0);
    expect(mails.map(({ to }) => to).sort()).toEqual(
      [await emailOf(ownerId), 'second@example.com'].sort(),
    );
    const [mail] = mails;
    expect(mail?.subject).toMatch(/^(?!Something changed).+: Corner Café$/);
    expect(mail?.text).not.toContain('The list of what was done');
  });

  it('is told by an activity that says before each mail that it is alive', async () => {
    await anOwner('second@example.com');
    await record({});
    const environment = new MockActivityEnvironment();
    const sentBefore: number[] = [];
    environment.on('heartbeat', () => {
      sentBefore.push(mails.length);
    });
    await environment.run(tell);
    expect(mails).toHaveLength(2);
    expect(sentBefore).toContain(1);
  });

  it('is told to the merchant alone who was approved, with the way to the portal', async () => {
    await anOwner(`second-${randomUUID()}@example.com`);
    const after = { role: 'client', status: 'active' };
    await record({ action: 'user.approve', targetType: 'user', targetId: ownerId, after });
    expect(await tell()).toBe(1);
    expect(mails).toMatchObject([{ to: await emailOf(ownerId), subject: 'Corner Café can begin' }]);
    expect(mails[0]?.text).toContain('Set up my shop:\nhttps://app.shop.example/portal/\n');
  });

  it.each([
    { action: 'user.approve', after: { role: 'pos_operator', status: 'active' } },
    { action: 'tenant.update' },
    { action: 'operator.leave' },
    { action: 'endpoint.update', before: { origin: 'https://a' }, after: { origin: 'https://a' } },
  ] as const)('is nobody told of where it is harmless: $action', async (some) => {
    await record(some);
    expect(await db('due_work').where({ kind: 'tell_of_change' })).toEqual([]);
  });

  it('is told where events are sent elsewhere', async () => {
    const change = { before: { origin: 'https://a' }, after: { origin: 'https://b' } };
    await record({ action: 'endpoint.update', ...change });
    expect(await tell()).toBe(1);
    expect(mails).toHaveLength(1);
  });

  it('is told to each in their language, in English while it is not known', async () => {
    await anOwner('de@example.com', { language: 'de' });
    await anOwner('en@example.com', { language: 'en' });
    await record({});
    await tell();
    const subjectTo = (email: string) => mails.find(({ to }) => to === email)?.subject;
    const english = 'New rule: Corner Café';
    expect(subjectTo(await emailOf(ownerId))).toBe(english);
    expect(subjectTo('en@example.com')).toBe(english);
    expect(subjectTo('de@example.com')).toBe('Neue Regel: Corner Café');
  });

  it('is told to verified addresses only', async () => {
    await anOwner('unproven@example.com', { emailVerified: false });
    await record({});
    await tell();
    expect(mails.map(({ to }) => to)).toEqual([await emailOf(ownerId)]);
  });

  it('is told to nobody who may not see the shop any more', async () => {
    await anOwner('former@example.com', { role: 'consumer' });
    await anOwner('suspended@example.com', { status: 'suspended' });
    await record({});
    await tell();
    expect(mails.map(({ to }) => to)).toEqual([await emailOf(ownerId)]);
  });

  it('is told later to those whom the server did not take, and to nobody again', async () => {
    for (const name of ['away', 'refused']) await anOwner(`${name}@example.com`);
    failures.set('away@example.com', new MailError('Try again.', true, true));
    failures.set('refused@example.com', new MailError('There is no such address.', false));
    await record({});
    expect(await tell()).toBe(0);
    expect(mails.map(({ to }) => to)).toEqual([await emailOf(ownerId)]);
    failures.clear();
    await later();
    expect(await tell()).toBe(1);
    expect(mails.map(({ to }) => to).slice(1)).toEqual(['away@example.com']);
  });

  it('names who did it to those who know them, and nobody else', async () => {
    const admin = await aUser(db, { role: 'admin', email: `boss@${DOMAIN}` });
    await record({});
    await record({ ...auditLog.byUser(admin, 'request') });
    await tell();
    expect(mails.map(({ text }) => /done by (.*), on/.exec(text)?.[1]).sort()).toEqual(
      ['o***@example.com', 'somebody who works for the service'].sort(),
    );
  });
});

describe('the answer about points for goodwill', () => {
  const answered = async (action: auditLog.AuditAction, requestedBy = ownerId) => {
    const goodwillId = await aGoodwillRequest(db, tenantId);
    await db('goodwill_requests').where({ id: goodwillId }).update({
      requestedBy,
      status: 'declined',
      closedAt: db.fn.now(),
      answer: 'It was refunded.',
    });
    if (action === 'goodwill.decline') {
      const target = { targetType: 'wallet', targetId: randomUUID() } as const;
      await record({ action, ...target, after: { goodwillId, points: 200 } });
    } else await adjusted({ goodwillId });
    await tell();
  };
  const adjusted = async (cause: { goodwillId?: GoodwillId }) => {
    const walletId = await aWallet(db, { tenantId });
    await db.transaction(async (tx) => {
      const wallet = await wallets.lock(tx, walletId);
      const by = { acting: auditLog.byUser(ownerId, 'request'), reason: 'goodwill', ...cause };
      await adjust(tx, [{ id: newId(), wallet, points: 200 }], by);
    });
  };

  it.each([
    ['wallet.adjust', '200 points granted: Corner Café', false],
    ['goodwill.decline', '200 points not granted: Corner Café', true],
  ] as const)('is told to the merchant alone who asked: %s', async (action, subject, saysWhy) => {
    await anOwner(`other-${randomUUID()}@example.com`);
    await answered(action);
    expect(mails).toMatchObject([{ to: await emailOf(ownerId), subject }]);
    expect(mails[0]?.text.includes('It was refunded.')).toBe(saysWhy);
    expect(mails[0]?.text).toContain('https://app.shop.example/portal/consumers');
  });

  it('is told to no one who is not a merchant of the shop any more', async () => {
    await answered('goodwill.decline', await aUser(db));
    expect(mails).toEqual([]);
  });

  it('is no matter of adjustments that nobody asked for', async () => {
    await adjusted({});
    expect(await db('due_work').where({ kind: 'tell_of_change' })).toEqual([]);
  });
});

describe('a connection', () => {
  const aConnection = async () => {
    await anAlphaConnection(db, { tenantId, merchantId: `ML-${randomUUID()}` });
    const row = await db('pos_connections').where({ tenantId }).first<{ id: ConnectionId }>('id');
    await db('due_work').delete();
    return required(await current(db, required(row).id));
  };

  it('is told of once when its token is refused, until it is refused again', async () => {
    const known = await aConnection();
    await flag(db, known, 'refused');
    await flag(db, known, 'refused');
    await tell();
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toMatch(/at Alpha no longer lets us in/);
    const entries = await auditLog.listOfTenant(db, tenantId, { limit: 9 });
    expect(entries).toMatchObject([
      {
        action: 'connection.lost',
        actor: 'ops',
        operator: null,
        targetId: known.id,
        before: { provider: 'alpha', status: 'active' },
        after: { provider: 'alpha', status: 'lost' },
      },
    ]);

    await unflag(db, known);
    await flag(db, known, 'refused again');
    await tell();
    expect(mails).toHaveLength(2);
  });

  it('is told of again a day later, once to each, if it is lost still', async () => {
    await anOwner('other@example.com');
    await flag(db, await aConnection(), 'refused');
    const { rows } = await db.raw<{ rows: { hours: number }[] }>(
      `select extract(epoch from due_at - now()) / 3600 as hours from due_work
       where kind = 'remind_of_loss'`,
    );
    expect(Number(required(rows[0]).hours)).toBeCloseTo(24, 1);
    expect([await tell(), await remind()]).toEqual([1, 0]);
    mails = [];
    await later();
    failures.set('other@example.com', new MailError('Away.', true));
    expect(await remind()).toBe(0);
    expect(mails.map(({ to }) => to)).toEqual([await emailOf(ownerId)]);
    failures.clear();
    await later();
    await Promise.all([remind(), remind()]);
    expect(mails.map(({ to }) => to)).toEqual([await emailOf(ownerId), 'other@example.com']);
    expect(mails[0]?.subject).toMatch(/^Sales at Alpha still earn no points/);
    expect(await db('due_work').where({ kind: 'remind_of_loss' })).toEqual([]);
  });

  it.each([
    ['is connected again', 'unflag'],
    ['is disconnected', 'disconnect'],
    ['is lost again: that loss has a reminder of its own', 'again'],
  ])('is not told of again when it %s', async (_, how) => {
    const known = await aConnection();
    await flag(db, known, 'refused');
    const [first] = await db('due_work').where({ kind: 'remind_of_loss' });
    if (how === 'disconnect') await disconnect(db, tenantId, known.id);
    else await unflag(db, known);
    if (how === 'again') await flag(db, known, 'refused again');
    await db('due_work')
      .where({ subjectId: required(first).subjectId })
      .update({
        dueAt: db.fn.now(),
      });
    await remind();
    expect(mails).toEqual([]);
    const left = await db('due_work').where({ kind: 'remind_of_loss' });
    expect(left).toHaveLength(how === 'again' ? 1 : 0);
  });
});

describe('a new administrator', () => {
  const anAdmin = (email: string, status: 'active' | 'suspended' = 'active') =>
    aUser(db, { role: 'admin', email, status });

  it('is told of to all others who are active and in the domain', async () => {
    await anAdmin(`ada@${DOMAIN}`);
    await anAdmin(`gone@${DOMAIN}`, 'suspended');
    await anAdmin('elsewhere@example.com');
    const made = await aUser(db, { email: `new@${DOMAIN}` });
    await operations.grantAdmin(db, { id: made }, DOMAIN);
    expect(await tell()).toBe(1);
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [`ada@${DOMAIN}`, 'There is a new administrator'],
    ]);
    expect(mails[0]?.text).toContain(`n***@${DOMAIN} is an administrator now.`);
    expect(mails[0]?.text).toMatch('those who run the service');
  });

  it('by a role, too, but not by another role or twice', async () => {
    const ada = await anAdmin(`ada@${DOMAIN}`);
    const target = { targetType: 'user', targetId: await aUser(db), tenantId: null } as const;
    const role = (before: string, after: string) =>
      record({
        ...auditLog.byUser(ada, 'request'),
        ...target,
        action: 'user.role',
        before: { role: before },
        after: { role: after },
      });
    await role('admin', 'client');
    await role('admin', 'admin');
    expect(await tell()).toBe(0);
    await role('consumer', 'admin');
    expect(await tell()).toBe(1);
    expect(mails.map(({ text }) => /done by (.*), on/.exec(text)?.[1])).toEqual([`a***@${DOMAIN}`]);
  });
});

describe('an erasure', () => {
  it('is told to the person, by the clocks of a shop of theirs', async () => {
    const userId = await aUser(db, { email: 'ada@example.com', language: 'de' });
    await db('tenants').where({ id: tenantId }).update({ timeZone: 'Asia/Kolkata' });
    const erasure = {
      action: 'user.erase',
      targetType: 'user',
      targetId: userId,
      tenantId: null,
      after: { status: 'scheduled', at: '2026-03-15T10:00:00.000Z' },
    } as const;
    await record(erasure);
    await tell();
    await aWallet(db, { tenantId, userId });
    await record(erasure);
    await tell();
    expect(mails.map(({ to, text }) => [to, /^Am (.*?) wird/.exec(text)?.[1]])).toEqual([
      ['ada@example.com', '15. März 2026, 10:00 Uhr (UTC)'],
      ['ada@example.com', '15. März 2026, 15:30 Uhr (UTC+05:30)'],
    ]);
  });
});
