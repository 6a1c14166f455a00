import type { TenantId, UserId } from '../../domain/ids.ts';
import type { Facts, KnownPayment } from '../../domain/ingestion.ts';
import type { Provider } from '../../domain/payment.ts';
import type { RoundingPolicy } from '../../domain/reward-rule.ts';
import { type Tx, withKeptPlan } from '../connection.ts';
import { ruleInEffect } from '../tenants/reward-rules.ts';

// The statements of ingestion span several tables, so that a batch takes as many statements as one
// event. A table is only ever reached by `lateral … limit 1` or `any(…)`, and the plans are kept:
// each row is looked up, whatever size the planner expects the table to have.

export type PaymentKey = { tenantId: TenantId; provider: Provider; providerPaymentId: string };

/** What to look up for a payment; the contacts are normalised. */
export type PaymentQuery = PaymentKey & { email: string | null; phone: string | null };

export type KnownFacts = Facts & { ownersWithWallet: UserId[] };

type FactsRow = {
  known: KnownPayment | null;
  userByEmail: UserId | null;
  userByPhone: UserId | null;
  emailHasWallet: boolean;
  phoneHasWallet: boolean;
  version: number | null;
  conversionRate: string;
  minSpendMinorUnits: number;
  maxPointsPerTransaction: number | null;
  roundingPolicy: RoundingPolicy;
  currency: string | null;
};

/**
 * Reads, for each payment and in the same order, what its decision depends on: the stored payment,
 * the users with its verified contacts (of several, the last to verify it), the rule in effect, and
 * the tenant's currency.
 */
export async function readFacts(tx: Tx, questions: readonly PaymentQuery[]): Promise<KnownFacts[]> {
  const reading = tx.raw<{ rows: FactsRow[] }>(READ_FACTS, {
    tenantIds: questions.map((question) => question.tenantId),
    providers: questions.map((question) => question.provider),
    paymentIds: questions.map((question) => question.providerPaymentId),
    emails: questions.map((question) => question.email),
    phones: questions.map((question) => question.phone),
  });
  const { rows } = await withKeptPlan(reading, 'ingestion-facts');
  return rows.map(factsOf);
}

/**
 * The user with that verified contact; of several, the last to verify it: a number or an address
 * may get another owner, while the former one's tokens still carry it. One that was verified before
 * that was noted counts from the sign-up.
 */
const ownerOf = (contact: 'email' | 'phone') => `
    select u.id, exists (
      select from wallets where user_id = u.id and tenant_id = q.tenant_id
    ) as has_wallet
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

const RULE = `r.version, r.conversion_rate, r.min_spend_minor_units,
  r.max_points_per_transaction, r.rounding_policy`;

// The order names the index of the payment's key. Without statistics, another one that begins with
// the tenant would be as good, and read all of its payments.
const READ_FACTS = `
  select known.payment as known,
    by_email.id as user_by_email, by_phone.id as user_by_phone,
    by_email.has_wallet is true as email_has_wallet,
    by_phone.has_wallet is true as phone_has_wallet,
    rule.version, rule.conversion_rate::text, rule.min_spend_minor_units,
    rule.max_points_per_transaction, rule.rounding_policy, tenant.currency
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
  left join lateral (${ruleInEffect(RULE, 'q.tenant_id')}) rule on true
  left join lateral (select currency from tenants where id = q.tenant_id limit 1) tenant on true
  order by q.nth`;

function factsOf(row: FactsRow): KnownFacts {
  const ownersWithWallet: UserId[] = [];
  if (row.userByEmail !== null && row.emailHasWallet) ownersWithWallet.push(row.userByEmail);
  if (row.userByPhone !== null && row.phoneHasWallet) ownersWithWallet.push(row.userByPhone);
  return {
    known: row.known,
    userByEmail: row.userByEmail,
    userByPhone: row.userByPhone,
    currency: row.currency,
    ownersWithWallet,
    rule:
      row.version === null
        ? null
        : {
            version: row.version,
            conversionRate: row.conversionRate,
            minSpendMinorUnits: row.minSpendMinorUnits,
            maxPointsPerTransaction: row.maxPointsPerTransaction,
            roundingPolicy: row.roundingPolicy,
          },
  };
}
