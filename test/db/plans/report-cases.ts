import { createHash } from 'node:crypto';
import * as wallets from '../../../db/ledger/wallets.ts';
import {
  listFiltered,
  type PaymentFilter,
  sumFiltered,
} from '../../../db/payments/filtered-list.ts';
import * as payments from '../../../db/payments/payments.ts';
import { countUnrehearsed, listRehearsed } from '../../../db/payments/rehearsed-sales.ts';
import * as quotedIds from '../../../db/quoted-ids.ts';
import { sumDay } from '../../../db/redemptions/day-sheet.ts';
import * as listing from '../../../db/redemptions/listing.ts';
import { countBuyers, listTopBuyers } from '../../../db/tenants/buyers.ts';
import * as consumers from '../../../db/tenants/consumers.ts';
import * as intervalSums from '../../../db/tenants/interval-sums.ts';
import { pointsNow } from '../../../db/tenants/outstanding.ts';
import * as rehearsals from '../../../db/tenants/rehearsals.ts';
import * as unusual from '../../../db/tenants/unusual.ts';
import * as userAdmin from '../../../db/users/admin.ts';
import type { PaymentId, UserId } from '../../../domain/ids.ts';
import { at, type Case, DEEP, LIMIT, manyOf, tenantId, userId, walletId } from './cases.ts';
import type { Bounds } from './findings.ts';

/** As many as a piece of CSV has. */
const PIECE = 1_000;
/** The first tenant has half of all rows, and its consumer half of these. */
const OF_TENANT = 10_000;

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const spans = Array.from({ length: 400 }, (_, day) => ({
  from: ago((400 - day) * 1440),
  to: ago((399 - day) * 1440),
}));

const rehearsed = { tenantId, from: ago(DEEP), to: ago(0), storedBy: ago(0) };

const filtered = (when: string, filter: PaymentFilter, bounds: Partial<Bounds> = {}): Case[] =>
  [undefined, at.payment].map((after) => ({
    covers: 'payments/filtered-list.listFiltered',
    when: after === undefined ? when : `${when}, deep`,
    rows: LIMIT,
    ...bounds,
    run: (tx) => listFiltered(tx, tenantId, { limit: LIMIT, after, ...filter }),
  }));

/** However many there are, no more than these are read. */
const summed = (when: string, filter: PaymentFilter): Case => ({
  covers: 'payments/filtered-list.sumFiltered',
  when,
  rows: PIECE,
  run: (tx) => sumFiltered(tx, tenantId, { limit: PIECE, ...filter }),
});
const summedCodes = (when: string, page: { userId?: UserId; from?: Date; to?: Date }): Case => ({
  covers: 'redemptions/listing.sumOfTenant',
  when,
  // Of each status, until there are enough.
  rows: 3 * PIECE,
  run: (tx) => listing.sumOfTenant(tx, tenantId, { limit: PIECE, ...page }),
});

/** What merchants and administrators look up and sum. */
export const REPORTS: readonly Case[] = [
  ...filtered('by time', { from: ago(DEEP + 600), to: ago(DEEP) }),
  ...filtered('until a time', { to: ago(DEEP) }),
  ...filtered('of an outcome', { outcome: 'credited' }),
  ...filtered('of an outcome that never was', { outcome: 'no_rule_no_credit' }),
  ...filtered('of a consumer', { userId }),
  ...filtered('of a consumer until a time', { userId, to: ago(DEEP) }),
  ...filtered('of another consumer', { userId: at.user }),
  ...filtered(
    'of a consumer and an outcome that never was',
    { userId, outcome: 'no_rule_no_credit' },
    { skipped: OF_TENANT },
  ),
  ...filtered('by the id of the provider', { providerPaymentId: `P${DEEP}` }),
  {
    covers: 'payments/filtered-list.listFiltered',
    when: 'in pieces',
    rows: PIECE,
    run: (tx) => listFiltered(tx, tenantId, { limit: PIECE, after: at.payment, to: ago(1) }),
  },
  {
    covers: 'payments/payments.listOfTenant',
    when: 'in pieces',
    rows: PIECE,
    run: (tx) => payments.listOfTenant(tx, tenantId, { limit: PIECE, after: at.payment }),
  },
  summed('of everything', {}),
  summed('by time', { from: ago(DEEP + 600), to: ago(DEEP) }),
  summed('of an outcome until a time', { outcome: 'credited', to: ago(DEEP) }),
  summed('of a consumer', { userId }),
  summed('by the id of the provider', { providerPaymentId: `P${DEEP}` }),
  {
    covers: 'payments/payments.findListed',
    rows: 1,
    run: (tx) => payments.findListed(tx, tenantId, at.payment),
  },
  summedCodes('of everything', {}),
  summedCodes('of times', { from: ago(DEEP + 60), to: ago(DEEP) }),
  summedCodes('of a consumer', { userId: at.user }),
  {
    covers: 'redemptions/listing.findInShop',
    rows: 1,
    run: (tx) => listing.findInShop(tx, tenantId, at.redemption),
  },
  ...[{}, { owes: true }, { unusual: true }].map(
    (which): Case => ({
      covers: 'tenants/consumers.sumOfTenant',
      when: Object.keys(which)[0] ?? 'all',
      rows: PIECE,
      skipped: 'unusual' in which ? OF_TENANT : 0,
      run: (tx) => consumers.sumOfTenant(tx, tenantId, { limit: PIECE, ...which }),
    }),
  ),
  {
    covers: 'redemptions/day-sheet.sumDay',
    // Two days of codes, a third of one a minute.
    rows: 960,
    run: (tx) => sumDay(tx, tenantId, { from: ago(2 * 1440), to: ago(0) }),
  },
  {
    covers: 'tenants/interval-sums.sumSpans',
    rows: OF_TENANT,
    run: (tx) => intervalSums.sumSpans(tx, { id: tenantId, currency: 'EUR' }, spans),
  },
  {
    covers: 'tenants/interval-sums.sumSpans',
    when: 'of a small tenant',
    rows: 400,
    run: (tx) => intervalSums.sumSpans(tx, { id: at.tenant, currency: null }, spans),
  },
  {
    covers: 'tenants/outstanding.pointsNow',
    rows: OF_TENANT,
    run: (tx) => pointsNow(tx, tenantId),
  },
  {
    covers: 'tenants/buyers.countBuyers',
    rows: OF_TENANT,
    run: (tx) => countBuyers(tx, tenantId, spans.slice(-2)),
  },
  {
    covers: 'tenants/buyers.listTopBuyers',
    rows: OF_TENANT,
    run: (tx) =>
      listTopBuyers(tx, { id: tenantId, currency: 'EUR' }, { from: ago(DEEP), to: ago(0) }),
  },
  {
    covers: 'payments/rehearsed-sales.listRehearsed',
    rows: PIECE,
    // Sales of other days, in the index.
    skipped: OF_TENANT,
    run: (tx) => listRehearsed(tx, rehearsed, { after: undefined, limit: PIECE }),
  },
  {
    covers: 'payments/rehearsed-sales.listRehearsed',
    when: 'deep',
    rows: PIECE,
    skipped: OF_TENANT,
    run: (tx) => listRehearsed(tx, rehearsed, { after: { userId, id: at.payment }, limit: PIECE }),
  },
  {
    covers: 'payments/rehearsed-sales.countUnrehearsed',
    rows: OF_TENANT,
    run: (tx) => countUnrehearsed(tx, rehearsed),
  },
  ...([null, at.rehearsal].map((before) => ({
    covers: 'tenants/rehearsals.list',
    rows: LIMIT,
    run: (tx) => rehearsals.list(tx, tenantId, { limit: LIMIT, before }),
  })) satisfies Case[]),
  {
    covers: 'tenants/unusual.countUnusual',
    rows: OF_TENANT,
    run: (tx) => unusual.countUnusual(tx, tenantId),
  },
  {
    covers: 'tenants/consumers.find',
    rows: 1,
    run: (tx) => consumers.find(tx, tenantId, userId),
  },
  {
    covers: 'ledger/wallets.findOfOwner',
    rows: 1,
    run: (tx) => wallets.findOfOwner(tx, { tenantId, userId }),
  },
  { covers: 'ledger/wallets.get', rows: 1, run: (tx) => wallets.get(tx, walletId) },
  {
    covers: 'quoted-ids.findPayments',
    rows: 20,
    run: (tx) => quotedIds.findPayments(tx, manyOf(20, 'payment') as PaymentId[]),
  },
  {
    covers: 'quoted-ids.findRedemptions',
    rows: 3,
    run: (tx) => {
      const hmacs = ['4999', '5001'].map((code) => createHash('sha256').update(code).digest());
      return quotedIds.findRedemptions(tx, { id: at.redemption, hmacs });
    },
  },
  ...['many', 'request 4999', 'unknown'].map(
    (requestId): Case => ({
      covers: 'quoted-ids.findRequest',
      when: `by "${requestId}"`,
      rows: 2,
      run: (tx) => quotedIds.findRequest(tx, { requestId, rowId: at.request }),
    }),
  ),
  { covers: 'users/admin.get', rows: 1, run: (tx) => userAdmin.get(tx, userId) },
  {
    covers: 'users/admin.listMemberships',
    rows: 1,
    run: (tx) => userAdmin.listMemberships(tx, at.user),
  },
];
