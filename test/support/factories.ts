import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { createIngestPolicy } from '../../activities/ingestion/decide/ingest-policy.ts';
import { byOps } from '../../db/audit-log.ts';
import type { Db, Tx } from '../../db/connection.ts';
import * as posConnections from '../../db/connections/pos-connections.ts';
import * as webhookEvents from '../../db/events/webhook-events.ts';
import * as ledger from '../../db/ledger/postings.ts';
import * as wallets from '../../db/ledger/wallets.ts';
import { newId } from '../../db/new-id.ts';
import * as debts from '../../db/payments/debts.ts';
import * as campaigns from '../../db/tenants/campaigns.ts';
import * as programmes from '../../db/tenants/programme.ts';
import * as rehearsals from '../../db/tenants/rehearsals.ts';
import * as rewardRules from '../../db/tenants/reward-rules.ts';
import * as rewards from '../../db/tenants/rewards.ts';
import * as tenants from '../../db/tenants/tenants.ts';
import { CampaignInput } from '../../domain/campaigns.ts';
import {
  type CampaignId,
  EventId,
  type RehearsalId,
  type RewardId,
  type TenantId,
  type UserId,
  type WalletId,
} from '../../domain/ids.ts';
import type { Language } from '../../domain/language.ts';
import type { Provider } from '../../domain/payment.ts';
import { ProgrammeInput } from '../../domain/programme.ts';
import { RehearsalInput } from '../../domain/rehearsal.ts';
import { RewardRuleInput } from '../../domain/reward-rule.ts';
import { RewardInput } from '../../domain/rewards.ts';
import type { Role, UserStatus } from '../../domain/roles.ts';
import { createSealer, type Sealer } from '../../gateways/crypto/sealer.ts';

/** The sealing keys of the tests. */
export const testKeys = [{ id: 'k1', key: Uint8Array.from({ length: 32 }, (_, index) => index) }];
export const testSealer: Sealer = createSealer(testKeys);
/** The default policy of the tests: refunds reverse points. */
export const testPolicy = createIngestPolicy('reverse', testKeys);

export type UserOptions = {
  /** The person at an identity provider; by default nobody who can sign in. */
  iss?: string;
  sub?: string;
  role?: Role;
  status?: UserStatus;
  email?: string;
  emailVerified?: boolean;
  phone?: string;
  phoneVerified?: boolean;
  language?: Language;
};

/** Creates a user, by default an active consumer with verified contacts. */
export async function aUser(db: Db, user: UserOptions = {}): Promise<UserId> {
  const sub = user.sub ?? randomUUID();
  const [row] = await db('users')
    .insert({
      iss: user.iss ?? 'https://issuer.test',
      sub,
      role: user.role ?? 'consumer',
      status: user.status ?? 'active',
      email: user.email ?? `${sub}@example.com`,
      emailVerified: user.emailVerified ?? true,
      phone: user.phone ?? null,
      phoneVerified: user.phoneVerified ?? user.phone !== undefined,
      language: user.language ?? null,
    })
    .returning<{ id: UserId }[]>('id');
  return required(row).id;
}

/** Creates a tenant, and its owner unless one is given. */
export async function aTenant(
  db: Db,
  tenant: { name?: string; country?: string; ownerId?: UserId } = {},
): Promise<TenantId> {
  const ownerId = tenant.ownerId ?? (await aUser(db, { role: 'client' }));
  return db.transaction((tx) =>
    tenants.insert(tx, { name: tenant.name ?? 'Shop', country: tenant.country ?? null, ownerId }),
  );
}

/** Publishes a reward rule, by default one point per minor unit. */
export async function aRule(
  db: Db,
  tenantId: TenantId,
  terms: Partial<RewardRuleInput> = {},
): Promise<void> {
  const createdBy = await aUser(db, { role: 'client' });
  const input = RewardRuleInput.parse({ conversionRate: 1, ...terms });
  const effectiveFrom = input.effectiveFrom === undefined ? null : new Date(input.effectiveFrom);
  await db.transaction((tx) =>
    rewardRules.publish(tx, { ...input, effectiveFrom, tenantId, createdBy }),
  );
}

/**
 * Publishes a programme by the clocks of UTC, which by default says nothing, or as if it had been
 * published at a time.
 */
export async function aProgramme(
  db: Db,
  tenantId: TenantId,
  { publishedAt, ...terms }: Partial<ProgrammeInput> & { publishedAt?: Date } = {},
): Promise<void> {
  const actorUserId = await aUser(db, { role: 'client' });
  const { country } = await tenants.get(db, tenantId);
  const timeZone = terms.timeZone ?? (country === null ? 'UTC' : undefined);
  const body = { ...ProgrammeInput.parse(terms), timeZone };
  const acting = { ...byOps(), actor: 'user' as const, actorUserId };
  await db.transaction((tx) => programmes.publish(tx, { tenantId, body, acting }, publishedAt));
}

/** Publishes a campaign of a tenant that doubles points, or as it says. */
export async function aCampaign(
  db: Db,
  tenantId: TenantId,
  terms: Partial<z.input<typeof CampaignInput>> = {},
): Promise<CampaignId> {
  const gives = 'points' in terms ? {} : { multiplier: 2 };
  const body = CampaignInput.parse({ name: 'Happy hour', ...gives, ...terms });
  const acting = { ...byOps(), actor: 'user' as const, actorUserId: await aUser(db) };
  const { id } = await db.transaction((tx) => campaigns.publish(tx, { tenantId, body, acting }));
  return id;
}

/** Publishes a reward of a tenant: a coffee for 30 points, or as it says. */
export async function aReward(
  db: Db,
  tenantId: TenantId,
  terms: Partial<RewardInput> = {},
): Promise<RewardId> {
  const coffee = { name: 'A coffee', kind: 'item', pricePoints: 30, valueMinorUnits: 35 };
  const body = RewardInput.parse({ ...coffee, ...terms });
  const acting = { ...byOps(), actor: 'user' as const, actorUserId: await aUser(db) };
  const { id } = await db.transaction((tx) => rewards.publish(tx, { tenantId, body, acting }));
  return id;
}

/** Counts what a tenant owed after March 2026: the points that were earned in it. */
export async function aCountedMonth(db: Db, tenantId: TenantId): Promise<void> {
  const run = { tenantId, month: '2026-03-01' };
  const at = new Date('2026-04-01T00:07:00Z');
  await db('expiry_runs').insert({ ...run, begunAt: at, readAt: at, finishedAt: at });
  const sums = { earned: 50, reversed: 5, used: 10, expired: 0, unused: 35 };
  await db('liability_months').insert({ ...run, earnedIn: '2026-03-01', ...sums });
}

/** Begins a rehearsal of a tenant, which has failed unless it is to run. */
export async function aRehearsal(
  db: Db,
  tenantId: TenantId,
  { runs = false }: { runs?: boolean } = {},
): Promise<RehearsalId> {
  const draft = RehearsalInput.parse({ rule: { conversionRate: 1 } });
  const createdBy = await aUser(db, { role: 'client' });
  const begun = await db.transaction((tx) => rehearsals.begin(tx, { tenantId, draft, createdBy }));
  const { id } = required(begun);
  if (!runs) await rehearsals.end(db, id, 'failed');
  return id;
}

/** Creates a wallet that holds `balance` points, from one credit. */
export async function aWallet(
  db: Db,
  wallet: { balance?: number; userId?: UserId; tenantId?: TenantId } = {},
): Promise<WalletId> {
  const userId = wallet.userId ?? (await aUser(db));
  const tenantId = wallet.tenantId ?? (await aTenant(db));
  return db.transaction(async (tx) => {
    await wallets.ensure(tx, [{ userId, tenantId }]);
    const row = await tx('wallets').where({ userId, tenantId }).first<{ id: WalletId }>('id');
    const walletId = required(row).id;
    if (wallet.balance) {
      await postByHand(tx, [aCredit(walletId, wallet.balance)]);
    }
    return walletId;
  });
}

/**
 * Writes ledger entries, and the audit entry of each that is an adjustment, as an administrator's
 * request does.
 */
export async function postByHand(
  tx: Tx,
  entries: readonly ledger.Entry[],
): Promise<ledger.LedgerEntry[]> {
  const posted = await ledger.post(tx, entries);
  await debts.pay(tx, ledger.owingOf(posted));
  const adjustments = posted.filter((entry) => entry.sourceType === 'adjustment');
  await tx.raw(
    `insert into audit_log (id, actor_user_id, action, target_type, target_id, tenant_id, reason,
       before, after, request_id)
     select e.source_id, w.user_id, 'wallet.adjust', 'wallet', w.id, w.tenant_id, 'By hand.', '{}',
       jsonb_build_object('points',
         case e.entry_type when 'credit' then e.points else -e.points end,
         'balance', e.balance_after, 'ledgerEntryId', e.id), 'test'
     from ledger_entries e join wallets w on w.id = e.wallet_id
     where e.id = any(:ids)`,
    { ids: adjustments.map((entry) => entry.id) },
  );
  return posted;
}

/** A manual ledger entry that adds points, for `postByHand`. */
export function aCredit(walletId: WalletId, points: number): ledger.Entry {
  return { ...anAdjustment(walletId, points), entryType: 'credit' };
}

/** A manual ledger entry that deducts points, for `postByHand`. */
export function aDebit(walletId: WalletId, points: number): ledger.Entry {
  return { ...anAdjustment(walletId, points), entryType: 'debit' };
}

function anAdjustment(walletId: WalletId, points: number): Omit<ledger.Entry, 'entryType'> {
  const sourceId = newId();
  return { walletId, points, reason: 'admin_adjustment', sourceType: 'adjustment', sourceId };
}

/** Connects the tenant to alpha. */
export function anAlphaConnection(db: Db, connection: Connecting): Promise<void> {
  return connectTo(db, 'alpha', connection);
}

/** Connects the tenant to beta. */
export function aBetaConnection(db: Db, connection: Connecting): Promise<void> {
  return connectTo(db, 'beta', connection);
}

type Connecting = {
  tenantId: TenantId;
  merchantId: string;
  accessToken?: string;
  /** Sales of all times earn, as most tests need it; `connecting`: those of the last week. */
  earnsFrom?: 'ever' | 'connecting';
};

async function connectTo(
  db: Db,
  provider: Provider,
  { tenantId, merchantId, accessToken = 'access-token', earnsFrom = 'ever' }: Connecting,
): Promise<void> {
  if (earnsFrom === 'ever') {
    await db.raw(
      `insert into account_tenures (provider, merchant_id, tenant_id, earns_from)
       select :provider, :merchantId, :tenantId, '2000-01-01'
       where not exists (select from account_tenures
         where provider = :provider and merchant_id = :merchantId)`,
      { provider, merchantId, tenantId },
    );
  }
  const context = { tenantId, provider, field: 'access_token' };
  await posConnections.connect(db, {
    tenantId,
    merchantId,
    provider,
    sealedAccessToken: testSealer.seal(accessToken, context),
    sealedRefreshToken: null,
    tokenExpiresAt: null,
  });
}

/** A tenant that is connected to alpha but has no rule, and a consumer who may buy there. */
export async function aConnectedShop(db: Db, connection: { accessToken?: string } = {}) {
  const tenantId = await aTenant(db);
  const merchantId = `M-${randomUUID()}`;
  const email = `${randomUUID()}@example.com`;
  const userId = await aUser(db, { email });
  await anAlphaConnection(db, { tenantId, merchantId, ...connection });
  return { tenantId, merchantId, userId, email };
}

export type AlphaPaymentOptions = {
  createdAt?: Date;
  id?: string;
  status?: string;
  amount?: number;
  tip?: number;
  email?: string;
  customerId?: string;
  refunded?: number;
  updatedAt?: Date;
};

/** The body of an alpha payment event, in the provider's format. */
export function anAlphaEvent(merchantId: string, payment: AlphaPaymentOptions = {}): Buffer {
  const id = payment.id ?? `PAY_${randomUUID()}`;
  const money = (amount: number) => ({ amount, currency: 'EUR' });
  const body = {
    merchant_id: merchantId,
    type: 'payment.updated',
    event_id: randomUUID(),
    created_at: '2026-01-15T10:00:02.308Z',
    data: {
      type: 'payment',
      id,
      object: {
        payment: {
          id,
          created_at: payment.createdAt?.toISOString() ?? '2026-01-15T10:00:00.086Z',
          updated_at: payment.updatedAt?.toISOString() ?? '2026-01-15T10:00:02.100Z',
          amount_money: money(payment.amount ?? 1000),
          ...(payment.tip === undefined ? {} : { tip_money: money(payment.tip) }),
          ...(payment.refunded === undefined ? {} : { refunded_money: money(payment.refunded) }),
          status: payment.status ?? 'COMPLETED',
          source_type: 'CARD',
          location_id: 'LOC_1',
          ...(payment.customerId === undefined ? {} : { customer_id: payment.customerId }),
          ...(payment.email === undefined ? {} : { buyer_email_address: payment.email }),
        },
      },
    },
  };
  return Buffer.from(JSON.stringify(body), 'utf8');
}

/** Stores alpha events as the webhook route does, and returns their ids in the same order. */
export async function storedEvents(
  db: Db,
  merchantId: string,
  bodies: readonly Buffer[],
  provider: Provider = 'alpha',
): Promise<EventId[]> {
  const ids = bodies.map(() => EventId.parse(newId()));
  await webhookEvents.insert(
    db,
    bodies.map((body, index) => ({
      id: required(ids[index]),
      provider,
      merchantId,
      eventType: provider === 'alpha' ? 'payment.updated' : 'P:CREATE',
      body,
      correlationId: 'test',
    })),
  );
  return ids;
}

/** The body of a webhook of beta that names a payment. */
export function aBetaEvent(merchantId: string, paymentId: string): Buffer {
  const update = { objectId: `P:${paymentId}`, type: 'CREATE' };
  return Buffer.from(JSON.stringify({ merchants: { [merchantId]: [update] } }));
}

/** The value, or an error if it is missing. */
export function required<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw new Error('Expected a value.');
  return value;
}
