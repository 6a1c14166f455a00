import { forget } from '../../../db/connections/counts.ts';
import { readLedger } from '../../../db/ledger/export.ts';
import { verifyConnectionCounts, verifyCounts } from '../../../db/ledger/verification/counts.ts';
import * as movement from '../../../db/ledger/verification/movement.ts';
import * as parts from '../../../db/ledger/verification/parts.ts';
import * as problems from '../../../db/ledger/verification/problems.ts';
import { verifySources } from '../../../db/ledger/verification/sources.ts';
import { nextWallets, verifyWallets } from '../../../db/ledger/verification/wallets.ts';
import { NO_ID, verifyRange, WALKS } from '../../../db/ledger/verification/whole.ts';
import * as statistics from '../../../db/tenants/statistics.ts';
import type { TenantId } from '../../../domain/ids.ts';
import { type Case, LIMIT, manyOf, tenantId, walletId } from './cases.ts';
import { idOf } from './rows.ts';

/** The newest ten entries, those since the checkpoint of the first wallet. */
const MOVED = { after: idOf('entry', -10), until: idOf('entry', 1) };
/** Wallets of a range of ids, none of which is the first one. */
const after = `${walletId.slice(0, -1)}f`;
const until = new Date().toISOString();
const LARGEST_PART = 2_000;
const SOURCES = [
  'payments',
  'redemptions',
  'adjustments',
  'expiries',
  'campaigns',
  'rewards',
  'liability',
  'imports',
] as const;

/** What verifications, exports and counts read: a slice of the whole, or what has moved. */
export const LEDGER: readonly Case[] = [
  {
    covers: 'ledger/verification/movement.verifyMovement',
    rows: 10,
    run: (tx) => movement.verifyMovement(tx, MOVED),
  },
  {
    covers: 'ledger/verification/movement.movementNow',
    rows: 10,
    run: (tx) => movement.movementNow(tx),
  },
  {
    covers: 'ledger/verification/movement.recordMovement',
    rows: 1,
    run: (tx) => movement.recordMovement(tx, { until: MOVED.until, at: until }, 1),
  },
  ...WALKS.map(
    (walk): Case => ({
      covers: 'ledger/verification/whole.verifyRange',
      when: `of ${walk}`,
      rows: LIMIT,
      run: async (tx) => {
        const start = { after: walk === 'wallets' ? after : NO_ID, limit: LIMIT };
        await verifyRange(tx, walk, { ...start, until: 'ffffffff-ffff-ffff-ffff-ffffffffffff' });
      },
    }),
  ),
  {
    covers: 'ledger/verification/wallets.nextWallets',
    rows: LIMIT,
    run: (tx) => nextWallets(tx, { after, limit: LIMIT, maxEntries: LARGEST_PART }),
  },
  {
    covers: 'ledger/verification/wallets.verifyWallets',
    rows: LIMIT,
    run: (tx) => verifyWallets(tx, { ids: manyOf(LIMIT + 1, 'wallet').slice(1) }),
  },
  ...SOURCES.map(
    (walk): Case => ({
      covers: 'ledger/verification/sources.verifySources',
      when: `of ${walk} by their ids`,
      rows: LIMIT,
      run: (tx) => verifySources(tx, walk, { ids: manyOf(LIMIT, 'payment') }),
    }),
  ),
  {
    covers: 'ledger/verification/counts.verifyCounts',
    rows: LIMIT,
    run: (tx) => verifyCounts(tx, { ids: manyOf(LIMIT, 'tenant') }),
  },
  {
    covers: 'ledger/verification/counts.verifyConnectionCounts',
    // Compares all connections, once a day.
    rows: 200_000,
    scans: ['connection_counts', 'pos_connections'],
    run: (tx) => verifyConnectionCounts(tx),
  },
  {
    covers: 'tenants/statistics.forget',
    rows: 2,
    run: (tx) => statistics.forget(tx, tenantId),
  },
  {
    covers: 'connections/counts.forget',
    rows: 20,
    scans: ['connection_counts'],
    run: (tx) => forget(tx),
  },
  {
    covers: 'ledger/verification/problems.note',
    rows: LIMIT,
    run: (tx) => problems.note(tx, 'wallets', manyOf(LIMIT, 'wallet')),
  },
  ...WALKS.map(
    (walk): Case => ({
      covers: 'ledger/verification/problems.verifyAgain',
      when: `of ${walk}`,
      rows: 1_000,
      run: (tx) => problems.verifyAgain(tx, walk, until),
    }),
  ),
  {
    covers: 'ledger/verification/parts.nextParts',
    rows: 140,
    scans: ['ledger_parts'],
    run: (tx) => parts.nextParts(tx),
  },
  {
    covers: 'ledger/verification/parts.recordPart',
    rows: 140,
    scans: ['ledger_parts'],
    run: (tx) =>
      parts.recordPart(tx, 'wallets', {
        after: NO_ID,
        until: idOf('wallet', 1),
        rows: 1,
        begunAt: until,
      }),
  },
  {
    covers: 'ledger/verification/parts.readVerificationFigures',
    rows: 140,
    scans: ['ledger_parts'],
    run: (tx) => parts.readVerificationFigures(tx),
  },
  {
    covers: 'ledger/export.readLedger',
    // Each statement reads a part of the tenant.
    rows: LARGEST_PART,
    run: (tx) => readLedger(tx, tenantId, async () => {}),
  },
  ...(['wallets', 'payments'] as const).flatMap((counted): Case[] => [
    {
      covers: 'tenants/statistics.countOf',
      when: `of ${counted}, a page of tenants`,
      rows: 1_000,
      run: (tx) => statistics.countOf(tx, counted, manyOf(LIMIT, 'tenant') as TenantId[]),
    },
    {
      covers: 'tenants/statistics.countOf',
      when: `of ${counted}, settled first`,
      rows: 1_000,
      run: (tx) =>
        statistics.countOf(tx, counted, [tenantId], {
          few: 100,
          step: 100,
          steps: 2,
          behindMinutes: 5,
        }),
    },
    {
      covers: 'tenants/statistics.countOne',
      when: `of ${counted}`,
      rows: 1_000,
      run: (tx) => statistics.countOne(tx, counted, tenantId),
    },
  ]),
];
