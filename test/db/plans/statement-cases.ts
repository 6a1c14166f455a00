import * as movement from '../../../db/statements/movement.ts';
import * as proofs from '../../../db/statements/proofs.ts';
import * as signing from '../../../db/statements/signing.ts';
import * as storing from '../../../db/statements/storing.ts';
import * as verification from '../../../db/statements/verification.ts';
import type { WalletId } from '../../../domain/ids.ts';
import { at, type Case, LIMIT, manyOf, tenantId, walletId } from './cases.ts';
import { idOf } from './rows.ts';

const FIRST = '00000000-0000-0000-0000-000000000000';
const heads = (manyOf(LIMIT, 'wallet') as WalletId[]).map((each) => {
  return { walletId: each, seq: 2, head: 'ab'.repeat(32) };
});
const SIGNED = { text: 'many', signature: 'ab'.repeat(64) };
const statement = { tenantId, number: 1_000_000, day: '2026-01-15' };

/** A table of one row is read as a whole. */
const ONE_ROW = { scans: ['statement_progress'] };

/** What signed statements read and write: what moved, a tenant's, or a page. */
export const STATEMENT_CASES: readonly Case[] = [
  { covers: 'statements/movement.beginDay', rows: 1, run: (tx) => movement.beginDay(tx) },
  {
    covers: 'statements/movement.collect',
    rows: 10,
    ...ONE_ROW,
    run: (tx) => movement.collect(tx, LIMIT),
  },
  {
    covers: 'statements/movement.nextTenants',
    rows: LIMIT,
    ...ONE_ROW,
    run: (tx) => movement.nextTenants(tx, { after: FIRST, limit: LIMIT, full: 2 }),
  },
  {
    covers: 'statements/signing.readMovement',
    rows: LIMIT,
    ...ONE_ROW,
    run: (tx) => signing.readMovement(tx, tenantId, LIMIT),
  },
  {
    covers: 'statements/signing.insert',
    rows: LIMIT,
    run: (tx) => signing.insert(tx, { ...statement, ...SIGNED, body: '{}', heads }),
  },
  {
    covers: 'statements/signing.forgetIdle',
    rows: LIMIT,
    run: (tx) => signing.forgetIdle(tx, tenantId, manyOf(LIMIT, 'wallet')),
  },
  {
    covers: 'statements/storing.listUnstored',
    rows: LIMIT,
    run: (tx) => storing.listUnstored(tx, FIRST, LIMIT),
  },
  {
    covers: 'statements/storing.recordStored',
    rows: 1,
    run: (tx) => storing.recordStored(tx, idOf('statement', 1)),
  },
  {
    covers: 'statements/storing.findUnstored',
    rows: 1,
    run: (tx) => storing.findUnstored(tx, { tenantId, number: 1 }),
  },
  { covers: 'statements/proofs.findSigned', rows: 1, run: (tx) => proofs.findSigned(tx, walletId) },
  {
    covers: 'statements/proofs.listFrom',
    rows: LIMIT,
    run: (tx) => proofs.listFrom(tx, tenantId, { number: 1, limit: LIMIT }),
  },
  {
    covers: 'statements/proofs.listEntries',
    rows: LIMIT,
    run: (tx) => proofs.listEntries(tx, walletId, LIMIT),
  },
  {
    covers: 'statements/verification.listAfter',
    rows: LIMIT,
    run: (tx) => verification.listAfter(tx, FIRST, LIMIT),
  },
  {
    covers: 'statements/verification.differing',
    rows: LIMIT,
    run: (tx) => verification.differing(tx, at.tenant, heads),
  },
  {
    covers: 'statements/verification.nextPart',
    rows: 1,
    ...ONE_ROW,
    run: (tx) => verification.nextPart(tx),
  },
  {
    covers: 'statements/verification.recordVerified',
    rows: 1,
    ...ONE_ROW,
    run: (tx) => verification.recordVerified(tx, null),
  },
];
