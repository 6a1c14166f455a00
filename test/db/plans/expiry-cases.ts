import { findExpiries, readExpired } from '../../../db/ledger/expired.ts';
import * as expiring from '../../../db/ledger/expiring.ts';
import { readValidity } from '../../../db/ledger/validity.ts';
import { verifyExpired } from '../../../db/ledger/verification/expired.ts';
import * as expiryRuns from '../../../db/tenants/expiry-runs.ts';
import { sumExpired } from '../../../db/tenants/interval-sums.ts';
import * as liability from '../../../db/tenants/liability.ts';
import { ExpiryCalendar } from '../../../domain/expiry.ts';
import type { PaymentId, TenantId, WalletId } from '../../../domain/ids.ts';
import { monthOf } from '../../../domain/intervals.ts';
import { type Case, LIMIT, manyOf, tenantId } from './cases.ts';
import { idOf } from './rows.ts';

/** A shop with a programme and one wallet. */
const dated = idOf('tenant', 5_003) as TenantId;
const its = idOf('wallet', 5_003) as WalletId;
const [first, ...few] = manyOf(LIMIT + 1, 'wallet') as [WalletId, ...WalletId[]];
const payments = manyOf(LIMIT, 'payment') as PaymentId[];
const day = 24 * 3_600_000;
/** In force before the month of what is held, on any day of a month. */
const versions = [{ publishedAt: new Date(Date.now() - 130 * day), validityMonths: 1 }];
const calendar = new ExpiryCalendar('UTC', versions);
const now = monthOf(new Date(), 'UTC');
const due = { tenantId: dated, calendar, month: now, now };

/** Of which there are runs. */
const counted = monthOf(new Date('2026-01-15'), 'UTC');
/** As if something were due of the wallet. */
const held = [{ walletId: its, balance: 1, lots: [{ month: now - 2, points: 1, earned: 1 }] }];

/** What the expiry of points reads, of a page of wallets or of one. */
export const EXPIRY: readonly Case[] = [
  {
    covers: 'ledger/expiring.readCalendars',
    rows: 2,
    run: (tx) => expiring.readCalendars(tx, [dated]),
  },
  {
    covers: 'ledger/expiring.readLots',
    rows: LIMIT,
    run: (tx) => expiring.readLots(tx, few, calendar, now),
  },
  {
    covers: 'ledger/expiring.readDue',
    rows: LIMIT,
    run: (tx) => expiring.readDue(tx, due, few),
  },
  {
    covers: 'ledger/expiring.readDueAlone',
    rows: LIMIT,
    run: (tx) => expiring.readDueAlone(tx, due, few),
  },
  { covers: 'ledger/expiring.take', rows: LIMIT, run: (tx) => expiring.take(tx, due, held) },
  {
    covers: 'tenants/liability.add',
    rows: LIMIT,
    run: (tx) => liability.add(tx, { ...due, tenantId, month: counted, since: counted }, held),
  },
  {
    covers: 'tenants/liability.find',
    rows: 10,
    run: (tx) => liability.find(tx, dated, undefined),
  },
  { covers: 'ledger/expiring.takePast', rows: LIMIT, run: (tx) => expiring.takePast(tx, [its]) },
  {
    covers: 'ledger/expired.readExpired',
    rows: LIMIT,
    run: (tx) => readExpired(tx, [its], payments),
  },
  {
    covers: 'ledger/expired.findExpiries',
    rows: LIMIT,
    run: (tx) => findExpiries(tx, its, payments),
  },
  {
    covers: 'tenants/expiry-runs.listNotices',
    rows: 1,
    run: (tx) => expiryRuns.listNotices(tx, first),
  },
  {
    covers: 'ledger/validity.readValidity',
    rows: 10,
    run: (tx) => readValidity(tx, { id: its, tenantId: dated }),
  },
  {
    covers: 'ledger/verification/expired.verifyExpired',
    rows: LIMIT,
    run: (tx) => verifyExpired(tx, { ids: [its] }),
  },
  {
    covers: 'tenants/expiry-runs.listMonths',
    rows: LIMIT,
    run: (tx) => expiryRuns.listMonths(tx, { after: null, limit: LIMIT }),
  },
  {
    covers: 'tenants/expiry-runs.findMonths',
    rows: LIMIT,
    run: (tx) => expiryRuns.findMonths(tx, dated),
  },
  {
    covers: 'tenants/expiry-runs.skipReason',
    rows: LIMIT,
    run: (tx) => expiryRuns.skipReason(tx, dated, new Date()),
  },
  {
    covers: 'tenants/expiry-runs.listWallets',
    rows: LIMIT,
    run: (tx) =>
      expiryRuns.listWallets(tx, {
        tenantId,
        after: first,
        limit: LIMIT,
        which: 'with entries',
      }),
  },
  {
    covers: 'tenants/expiry-runs.listUntold',
    rows: LIMIT,
    run: (tx) => expiryRuns.listUntold(tx, few, now),
  },
  {
    covers: 'tenants/interval-sums.sumExpired',
    rows: LIMIT,
    run: (tx) => sumExpired(tx, dated, [{ from: new Date(Date.now() - day), to: new Date() }]),
  },
];
