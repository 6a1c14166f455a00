import type { AuditEntry, NamedAuditEntry } from '../../db/audit-log.ts';
import type { ListedPayment } from '../../db/payments/payments.ts';
import type { ShopRedemption } from '../../db/redemptions/listing.ts';
import type { Consumer } from '../../db/tenants/consumers.ts';
import type { FoundUser } from '../../db/users/admin.ts';
import { maskContacts } from '../../domain/privacy.ts';
import { worthMinorUnits } from '../../domain/redemption.ts';
import type { TableWords } from '../../domain/texts/table-words.ts';
import type { Column } from '../http/replies/named-csv.ts';

// What the columns of lists say to people who open them in a spreadsheet. Contacts are masked as in
// the lists themselves, and ids come last.

type Contacts = { email: string | null; phone: string | null };

/** The columns of sales. */
export function saleColumns({ titles, ...words }: TableWords): Column<ListedPayment>[] {
  const reasons: Readonly<Record<string, string>> = words.reasons;
  return [
    { title: titles.when, time: ({ occurredAt }) => occurredAt },
    {
      title: titles.amount,
      amount: ({ amountMinorUnits: minorUnits, currency }) => ({ minorUnits, currency }),
    },
    {
      title: titles.refunded,
      amount: ({ refundedMinorUnits: minorUnits, currency }) => ({ minorUnits, currency }),
    },
    { title: titles.currency, text: ({ currency }) => currency },
    ...contactColumns<ListedPayment>(titles, ({ consumer }) => consumer),
    {
      title: titles.outcome,
      text: ({ outcome, pointsAwarded }) =>
        outcome === 'credited' && pointsAwarded === 0 ? words.noPoints : words.outcomes[outcome],
    },
    {
      title: titles.reason,
      text: ({ outcomeReason }) => outcomeReason && (reasons[outcomeReason] ?? outcomeReason),
    },
    { title: titles.points, text: ({ pointsAwarded }) => pointsAwarded },
    { title: titles.reversed, text: ({ pointsReversed }) => pointsReversed },
    { title: titles.owed, text: ({ pointsOwed }) => pointsOwed },
    { title: titles.provider, text: ({ provider }) => provider },
    { title: titles.location, text: ({ locationId }) => locationId },
    { title: titles.paymentId, text: ({ providerPaymentId }) => providerPaymentId },
    { title: titles.saleId, text: ({ id }) => id },
    { title: titles.customerId, text: ({ consumer }) => consumer?.userId ?? null },
  ];
}

/** The columns of codes, without the codes themselves. */
export function codeColumns({ titles, codes }: TableWords): Column<ShopRedemption>[] {
  return [
    { title: titles.issued, time: ({ issuedAt }) => issuedAt },
    ...contactColumns<ShopRedemption>(titles, ({ consumer }) => consumer),
    {
      title: titles.worth,
      amount: ({ discountValueMinorUnits: minorUnits, currency }) => ({ minorUnits, currency }),
    },
    { title: titles.currency, text: ({ currency }) => currency },
    { title: titles.reward, text: ({ reward }) => reward?.name ?? null },
    { title: titles.points, text: ({ points }) => points },
    {
      title: titles.status,
      text: ({ status, cancelled }) => (cancelled ? codes.cancelled : codes[status]),
    },
    { title: titles.used, time: ({ usedAt }) => usedAt },
    {
      title: titles.usedBy,
      text: ({ usedBy }) => usedBy && maskContacts({ email: usedBy.email, phone: null }).email,
    },
    { title: titles.codeId, text: ({ id }) => id },
    { title: titles.customerId, text: ({ consumer }) => consumer.userId },
  ];
}

/** The columns of customers of a shop with this currency. */
export function customerColumns(
  { titles, wallets }: TableWords,
  currency: string | null,
): Column<Consumer>[] {
  return [
    ...contactColumns<Consumer>(titles, (consumer) => consumer),
    { title: titles.points, text: ({ balance }) => balance },
    {
      title: titles.worth,
      amount: ({ balance }) => ({ minorUnits: worthMinorUnits(balance), currency }),
    },
    { title: titles.currency, text: () => currency },
    { title: titles.status, text: ({ status }) => wallets[status] },
    { title: titles.lastMoved, time: ({ lastActivityAt }) => lastActivityAt },
    { title: titles.customerId, text: ({ userId }) => userId },
    { title: titles.walletId, text: ({ walletId }) => walletId },
  ];
}

/** The columns of what was done in a shop. */
export function historyColumns(words: TableWords): Column<AuditEntry>[] {
  return [...doneColumns<AuditEntry>(words), ...entryColumns<AuditEntry>(words)];
}

/** The columns of the audit log, as administrators see it. */
export function auditColumns(words: TableWords): Column<NamedAuditEntry>[] {
  const { titles } = words;
  return [
    ...doneColumns<NamedAuditEntry>(words),
    { title: titles.doneTo, text: ({ targetContact }) => targetContact },
    { title: titles.shop, text: ({ tenantName }) => tenantName },
    ...entryColumns<NamedAuditEntry>(words),
  ];
}

/** The columns of people, as administrators find them. */
export function personColumns({ titles, roles, users }: TableWords): Column<FoundUser>[] {
  return [
    { title: titles.name, text: ({ name }) => name },
    { title: titles.personEmail, text: ({ email }) => email },
    { title: titles.personPhone, text: ({ phone }) => phone },
    { title: titles.role, text: ({ role }) => roles[role] },
    { title: titles.status, text: ({ status }) => users[status] },
    { title: titles.shop, text: ({ shop }) => shop?.name ?? null },
    { title: titles.country, text: ({ shop }) => shop?.country ?? null },
    { title: titles.since, time: ({ createdAt }) => createdAt },
    { title: titles.personId, text: ({ id }) => id },
  ];
}

function contactColumns<Item>(
  titles: TableWords['titles'],
  whose: (item: Item) => Contacts | null,
): Column<Item>[] {
  const masked = (item: Item) => maskContacts(whose(item) ?? { email: null, phone: null });
  return [
    { title: titles.email, text: (item) => masked(item).email },
    { title: titles.phone, text: (item) => masked(item).phone },
  ];
}

function doneColumns<Entry extends AuditEntry>(words: TableWords): Column<Entry>[] {
  const { titles, actions, ops, operator, administrator } = words;
  const whoDid = (entry: AuditEntry) => {
    if (entry.actorUserId !== null) return entry.actorEmail ?? administrator;
    return entry.operator === null ? ops : `${operator} ${entry.operator}`;
  };
  return [
    { title: titles.when, time: ({ createdAt }) => createdAt },
    { title: titles.action, text: ({ action }) => actions[action] },
    { title: titles.doneBy, text: whoDid },
  ];
}

function entryColumns<Entry extends AuditEntry>({ titles }: TableWords): Column<Entry>[] {
  return [
    { title: titles.reason, text: ({ reason }) => reason },
    { title: titles.before, text: ({ before }) => stateOf(before) },
    { title: titles.after, text: ({ after }) => stateOf(after) },
    { title: titles.targetId, text: ({ targetId }) => targetId },
    { title: titles.request, text: ({ requestId }) => requestId },
    { title: titles.entryId, text: ({ id }) => id },
  ];
}

/** A state in one cell, by the names of the log: `balance: 1250; points: -50`. */
function stateOf(state: AuditEntry['before']): string {
  return Object.entries(state)
    .map(([name, value]) => `${name}: ${value ?? ''}`)
    .join('; ');
}
