import { IS_BEFORE_CONNECTION } from '../../domain/decision-record.ts';
import type { TenantId, UserId, WalletId } from '../../domain/ids.ts';
import type { Facts, KnownPayment } from '../../domain/ingestion.ts';
import type { Provider } from '../../domain/payment.ts';
import { appliesProgrammes, type Tx } from '../connection.ts';
import { keptStatement } from '../kept-statement.ts';
import { ruleInEffect } from '../tenants/reward-rules.ts';
import { lastToVerify } from '../users/contacts.ts';
import { EARNING_TERMS } from './decisions.ts';
import { readOffers } from './offers.ts';

// The statements of ingestion span several tables, so that a batch takes as many statements as one
// event. A table is only ever reached by `lateral … limit 1` or `any(…)`, and the plans are kept:
// each row is looked up, whatever size the planner expects the table to have.

export type PaymentKey = { tenantId: TenantId; provider: Provider; providerPaymentId: string };

/** What to look up for a payment; the contacts are normalised. */
export type PaymentQuery = PaymentKey & {
  email: string | null;
  phone: string | null;
  /** Whose it is in any case: it is decided once more. */
  member?: UserId;
};

export type KnownFacts = Facts & {
  /** The wallets, at the payment's tenant, of the users with its contacts. */
  wallets: { userId: UserId; walletId: WalletId }[];
  /** Whether the tenant's own systems are told of points. */
  isTold: boolean;
  /** Whether the tenant has published a programme. */
  hasProgramme: boolean;
};

/** Whom a payment's contacts belong to, and their wallets at its tenant. */
type Owners = {
  userByEmail: UserId | null;
  userByPhone: UserId | null;
  emailWalletId: WalletId | null;
  phoneWalletId: WalletId | null;
};
type Terms = Pick<KnownFacts, 'rule' | 'currency' | 'isSuspended' | 'isTold' | 'hasProgramme'> & {
  id: TenantId;
};
/** One of the three; `nth` counts the payments, or the contacts. */
type FoundRow =
  | { nth: number; known: KnownPayment; tenant: null }
  | ({ nth: number; known: null; tenant: null } & Owners)
  | { nth: null; known: null; tenant: Terms };

const NOBODY: Owners = {
  userByEmail: null,
  userByPhone: null,
  emailWalletId: null,
  phoneWalletId: null,
};

/**
 * Reads, for each payment and in the same order, what its decision depends on: the stored payment,
 * the users with its verified contacts (of several, the last to verify it), the rule in effect, the
 * tenant's currency, whether it is suspended, and whether it is told of points.
 */
export async function readFacts(tx: Tx, questions: readonly PaymentQuery[]): Promise<KnownFacts[]> {
  if (questions.length === 0) return [];
  const contacts = new Map(questions.map((question) => [contactsOf(question), question]));
  contacts.delete(NO_CONTACT);
  const sought = [...contacts.values()];
  const rows = await read(tx, {
    tenants: [...new Set(questions.map((question) => question.tenantId))],
    tenantIds: questions.map((question) => question.tenantId),
    providers: questions.map((question) => question.provider),
    paymentIds: questions.map((question) => question.providerPaymentId),
    contactTenantIds: sought.map((question) => question.tenantId),
    emails: sought.map((question) => question.email),
    phones: sought.map((question) => question.phone),
  });
  const known = new Map<number, KnownPayment>();
  const owners = new Map<string, Owners>();
  const tenants = new Map<TenantId, Terms>();
  const keys = [...contacts.keys()];
  for (const row of rows) {
    if (row.tenant !== null) tenants.set(row.tenant.id, row.tenant);
    else if (row.known !== null) known.set(row.nth, row.known);
    else owners.set(keys[row.nth - 1] ?? NO_CONTACT, row);
  }
  const facts = questions.map((question, index) =>
    factsOf(
      known.get(index + 1) ?? null,
      owners.get(contactsOf(question)) ?? NOBODY,
      tenants.get(question.tenantId),
    ),
  );
  return withOffers(tx, questions, facts);
}

/** Adds what tenants with a programme offer: one statement, and none where there is no such. */
async function withOffers(
  tx: Tx,
  questions: readonly PaymentQuery[],
  facts: readonly KnownFacts[],
): Promise<KnownFacts[]> {
  const asked = facts.flatMap(({ known, hasProgramme, isSuspended, ...its }, nth) => {
    const question = questions[nth];
    if (!hasProgramme || isSuspended || question === undefined) return [];
    const { tenantId, member } = question;
    if (member !== undefined) return { tenantId, userIds: [member] };
    // It earns nothing more, but what waits for its consumer does.
    if (known !== null && known.outcome !== 'stored_anonymous') return [];
    return { tenantId, userIds: [its.userByEmail, its.userByPhone].flatMap((id) => id ?? []) };
  });
  if (asked.length === 0 || !appliesProgrammes(tx)) return [...facts];
  const open = await readOffers(tx, asked);
  return facts.map((its, nth) => {
    const tenantId = questions[nth]?.tenantId;
    return { ...its, open: (tenantId && open.get(tenantId)) ?? null };
  });
}

const NO_CONTACT = '';

/** Identifies the contacts of a payment at its tenant. No contact has a blank in it. */
function contactsOf({ tenantId, email, phone }: PaymentQuery): string {
  return email === null && phone === null ? NO_CONTACT : `${tenantId} ${email} ${phone}`;
}

/** The user with that verified contact, and the wallet that it has at the tenant. */
const ownerOf = (contact: 'email' | 'phone') => `
    select u.id, (
      select id from wallets where user_id = u.id and tenant_id = q.tenant_id limit 1
    ) as wallet_id ${lastToVerify(contact)}`;

/** A `KnownPayment`, named as there: the names inside a JSON object are not converted. */
export const KNOWN_PAYMENT = `jsonb_build_object('id', id, 'outcome', outcome,
      'amountMinorUnits', amount_minor_units, 'refundedMinorUnits', refunded_minor_units,
      'refundedAsOfMs', floor(extract(epoch from refunded_as_of) * 1000),
      'points', points_awarded, 'pointsReversed', points_reversed, 'pointsOwed', points_owed,
      'pointsWrittenOff', points_written_off, 'pointsAbsorbed', points_absorbed,
      'reversals', case when points_absorbed > 0 then decision -> 'reversals' end,
      'walletId', wallet_id,
      'contacts', jsonb_build_object('email', email_fingerprint is not null,
        'phone', phone_fingerprint is not null),
      'hasCustomer', provider_customer_id is not null,
      'storedAtMs', floor(extract(epoch from created_at) * 1000),
      'isBeforeConnection', decision_facts & ${IS_BEFORE_CONNECTION} <> 0)`;

// Payments of a batch often have the same tenant or consumer. Each of these is therefore looked up
// once. The order names the index of the payment's key. Without statistics, another one that begins
// with the tenant would be as good, and read all of its payments.
const read = keptStatement<FoundRow>(
  'ingestion-facts',
  `select q.nth, known.payment as known, null::uuid as "userByEmail",
    null::uuid as "userByPhone", null::uuid as "emailWalletId", null::uuid as "phoneWalletId",
    null::jsonb as tenant
  from unnest(:tenantIds::uuid[], :providers::text[], :paymentIds::text[])
    with ordinality as q(tenant_id, provider, provider_payment_id, nth)
  cross join lateral (
    select ${KNOWN_PAYMENT} as payment from payments
    where tenant_id = q.tenant_id and provider = q.provider
      and provider_payment_id between q.provider_payment_id and q.provider_payment_id
    order by provider_payment_id limit 1
  ) known
  union all
  select q.nth, null, by_email.id, by_phone.id, by_email.wallet_id, by_phone.wallet_id, null
  from unnest(:contactTenantIds::uuid[], :emails::text[], :phones::text[])
    with ordinality as q(tenant_id, email, phone, nth)
  left join lateral (${ownerOf('email')}) by_email on true
  left join lateral (${ownerOf('phone')}) by_phone on true
  union all
  select null, null, null, null, null, null,
    jsonb_build_object('id', t.id, 'currency', t.currency, 'isTold', t.tells_events,
      'hasProgramme', t.has_programme, 'isSuspended', t.suspended_at is not null, 'rule', (
      ${ruleInEffect(EARNING_TERMS, 't.id')}
    ))
  from tenants t where t.id = any(:tenants::uuid[])`,
);

function factsOf(
  known: KnownPayment | null,
  { userByEmail, userByPhone, emailWalletId, phoneWalletId }: Owners,
  tenant: Terms | undefined,
): KnownFacts {
  const found = [
    { userId: userByEmail, walletId: emailWalletId },
    { userId: userByPhone, walletId: phoneWalletId },
  ];
  return {
    known,
    userByEmail,
    userByPhone,
    currency: tenant?.currency ?? null,
    rule: tenant?.rule ?? null,
    isSuspended: tenant?.isSuspended ?? false,
    isTold: tenant?.isTold ?? false,
    hasProgramme: tenant?.hasProgramme ?? false,
    wallets: found.flatMap(({ userId, walletId }) =>
      userId === null || walletId === null ? [] : { userId, walletId },
    ),
  };
}
