import type { TenantId, UserId, WalletId } from '../../domain/ids.ts';
import type { Facts, KnownPayment } from '../../domain/ingestion.ts';
import type { Provider } from '../../domain/payment.ts';
import { type Tx, withKeptPlan } from '../connection.ts';
import { ruleInEffect } from '../tenants/reward-rules.ts';
import { EARNING_TERMS } from './decisions.ts';

// The statements of ingestion span several tables, so that a batch takes as many statements as one
// event. A table is only ever reached by `lateral … limit 1` or `any(…)`, and the plans are kept:
// each row is looked up, whatever size the planner expects the table to have.

export type PaymentKey = { tenantId: TenantId; provider: Provider; providerPaymentId: string };

/** What to look up for a payment; the contacts are normalised. */
export type PaymentQuery = PaymentKey & { email: string | null; phone: string | null };

export type KnownFacts = Facts & {
  /** The wallets, at the payment's tenant, of the users with its contacts. */
  wallets: { userId: UserId; walletId: WalletId }[];
};

type FoundRow = {
  known: KnownPayment | null;
  userByEmail: UserId | null;
  userByPhone: UserId | null;
  emailWalletId: WalletId | null;
  phoneWalletId: WalletId | null;
  tenant: null;
};
type TenantRow = { tenant: Pick<Facts, 'rule' | 'currency'> & { id: TenantId } };

/**
 * Reads, for each payment and in the same order, what its decision depends on: the stored payment,
 * the users with its verified contacts (of several, the last to verify it), the rule in effect, and
 * the tenant's currency.
 */
export async function readFacts(tx: Tx, questions: readonly PaymentQuery[]): Promise<KnownFacts[]> {
  if (questions.length === 0) return [];
  const reading = tx.raw<{ rows: (FoundRow | TenantRow)[] }>(READ_FACTS, {
    tenants: [...new Set(questions.map((question) => question.tenantId))],
    tenantIds: questions.map((question) => question.tenantId),
    providers: questions.map((question) => question.provider),
    paymentIds: questions.map((question) => question.providerPaymentId),
    emails: questions.map((question) => question.email),
    phones: questions.map((question) => question.phone),
  });
  const { rows } = await withKeptPlan(reading, 'ingestion-facts');
  const tenants = new Map(rows.flatMap(({ tenant }) => (tenant ? [[tenant.id, tenant]] : [])));
  const found = rows.flatMap((row) => (row.tenant === null ? [row] : []));
  return questions.map(({ tenantId }, nth) => {
    const row = found[nth];
    if (row === undefined) throw new Error('A payment came back without its facts.');
    return factsOf(row, tenants.get(tenantId));
  });
}

/**
 * The user with that verified contact; of several, the last to verify it: a number or an address
 * may get another owner, while the former one's tokens still carry it. One that was verified before
 * that was noted counts from the sign-up.
 */
const ownerOf = (contact: 'email' | 'phone') => `
    select u.id, (
      select id from wallets where user_id = u.id and tenant_id = q.tenant_id limit 1
    ) as wallet_id
    from users u
    where u.${contact} = q.${contact} and u.${contact}_verified
      and u.role in ('consumer', 'pos_operator')
    order by coalesce(u.${contact}_verified_at, u.created_at) desc, u.id limit 1`;

/** A `KnownPayment`, named as there: the names inside a JSON object are not converted. */
export const KNOWN_PAYMENT = `jsonb_build_object('id', id, 'outcome', outcome,
      'amountMinorUnits', amount_minor_units, 'refundedMinorUnits', refunded_minor_units,
      'refundedAsOfMs', floor(extract(epoch from refunded_as_of) * 1000),
      'points', points_awarded, 'pointsReversed', points_reversed, 'pointsOwed', points_owed,
      'pointsWrittenOff', points_written_off, 'walletId', wallet_id)`;

// Many payments of a batch are of one tenant, which is therefore a row of its own, after them. The
// order names the index of the payment's key. Without statistics, another one that begins with the
// tenant would be as good, and read all of its payments.
const READ_FACTS = `
  select q.nth, known.payment as known,
    by_email.id as user_by_email, by_phone.id as user_by_phone,
    by_email.wallet_id as email_wallet_id, by_phone.wallet_id as phone_wallet_id,
    null::jsonb as tenant
  from unnest(:tenantIds::uuid[], :providers::text[], :paymentIds::text[], :emails::text[],
      :phones::text[])
    with ordinality as q(tenant_id, provider, provider_payment_id, email, phone, nth)
  left join lateral (
    select ${KNOWN_PAYMENT} as payment from payments
    where tenant_id = q.tenant_id and provider = q.provider
      and provider_payment_id between q.provider_payment_id and q.provider_payment_id
    order by provider_payment_id limit 1
  ) known on true
  left join lateral (${ownerOf('email')}) by_email on true
  left join lateral (${ownerOf('phone')}) by_phone on true
  union all
  select null, null, null, null, null, null,
    jsonb_build_object('id', t.id, 'currency', t.currency, 'rule', (
      ${ruleInEffect(EARNING_TERMS, 't.id')}
    ))
  from tenants t where t.id = any(:tenants::uuid[])
  order by nth`;

function factsOf(row: FoundRow, tenant: TenantRow['tenant'] | undefined): KnownFacts {
  const found = [
    { userId: row.userByEmail, walletId: row.emailWalletId },
    { userId: row.userByPhone, walletId: row.phoneWalletId },
  ];
  return {
    known: row.known,
    userByEmail: row.userByEmail,
    userByPhone: row.userByPhone,
    currency: tenant?.currency ?? null,
    rule: tenant?.rule ?? null,
    wallets: found.flatMap(({ userId, walletId }) =>
      userId === null || walletId === null ? [] : { userId, walletId },
    ),
  };
}
