import {
  addVerified,
  type LedgerViolation,
  NOTHING_VERIFIED,
  type VerificationCounts,
} from '../../../domain/ledger-report.ts';
import type { Db } from '../../connection.ts';
import { verifyConnectionCounts } from './counts.ts';
import { type Movement, movementNow, recordMovement, verifyMovement } from './movement.ts';
import { nextParts, type Part, recordPart } from './parts.ts';
import * as problems from './problems.ts';
import type { Findings } from './statements.ts';
import {
  LAST_ID,
  type LedgerVerification,
  NO_ID,
  type RangeSlice,
  verifyRange,
  WALKS,
  type Walk,
} from './whole.ts';

// A run verifies what moved since the last one, the next part of everything, and again what was
// found wrong before. How far it has come is in its position; what is done, in the tables.

export type Phase = 'moved' | 'part' | 'problems';
const ALL_PHASES: readonly Phase[] = ['moved', 'part', 'problems'];

type Step = { phase: Phase; walk: Walk; after: string; until: string; limit?: number };

type Run = {
  begunAt: string;
  /** The step that is under way, and those after it. */
  steps: Step[];
  verified: Movement['verified'];
  movedWallets: number;
  /** Whether the parts of this run come first and, so far, are the whole. */
  isWhole: boolean;
};

/** How far a run has come: the last row of its first step, and how many rows that had so far. */
export type RunPosition = { run: Run; after: string; rows: number };

export type RunSlice = LedgerVerification & { next: RunPosition | null };

export type RunOptions = { phases?: readonly Phase[]; minPartRows?: number };

/**
 * Takes the next step of a run, the first one when `position` is null; `next` is null at the end.
 * Each step may run any number of times, also beside itself: it verifies and records the same.
 */
export async function verifyNext(db: Db, position: RunPosition | null): Promise<RunSlice> {
  const place = position ?? (await beginRun(db));
  const [step] = place.run.steps;
  if (step === undefined) return { ...NOTHING_VERIFIED, violations: [], next: null };
  const slice = await takeStep(db, step, place);
  if (step.phase !== 'problems') await problems.note(db, step.walk, slice.rowIds);
  const next = await advance(db, step, place, slice);
  return { ...slice.counts, violations: slice.violations, next };
}

/** Runs all steps of some phases at once, by default of all; reports every problem. */
export async function verifyPhases(db: Db, options: RunOptions = {}): Promise<LedgerVerification> {
  let counts: VerificationCounts = NOTHING_VERIFIED;
  const violations: LedgerViolation[] = [];
  let place: RunPosition | null = await beginRun(db, options);
  while (place !== null) {
    const slice: RunSlice = await verifyNext(db, place);
    counts = addVerified(counts, slice);
    violations.push(...slice.violations);
    place = slice.next;
  }
  return { ...counts, violations };
}

async function beginRun(db: Db, options: RunOptions = {}): Promise<RunPosition> {
  const { phases = ALL_PHASES, minPartRows } = options;
  const movement = await movementNow(db);
  const parts = await nextParts(db, minPartRows);
  const isWhole =
    phases.includes('part') && parts.every(({ walk, isWhole }) => isWhole || isOfCounts(walk));
  const { begunAt, verified } = movement;
  const run = { begunAt, verified, movedWallets: 0, isWhole, steps: [] };
  const steps = stepsOf({ movement, parts, isWhole }).filter(({ phase }) => phases.includes(phase));
  return startOf({ ...run, steps });
}

/** Counts are no part of the ledger, and what moved is not counted. */
const isOfCounts = (walk: Walk) => walk === 'counts';

function stepsOf(known: { movement: Movement; parts: Part[]; isWhole: boolean }): Step[] {
  const { after, until } = known.movement;
  const moved = WALKS.filter((walk) => !isOfCounts(walk)).map((walk) => ({
    phase: 'moved' as const,
    walk,
    after,
    until,
  }));
  const part = known.parts.map(({ walk, after, limit }) => {
    return { phase: 'part' as const, walk, after, until: LAST_ID, limit };
  });
  const again = WALKS.map((walk) => {
    return { phase: 'problems' as const, walk, after: NO_ID, until: LAST_ID };
  });
  // Where one part is the whole, it holds what moved.
  return known.isWhole ? [...part, ...moved, ...again] : [...moved, ...part, ...again];
}

async function takeStep(db: Db, step: Step, place: RunPosition): Promise<RangeSlice> {
  const { phase, walk, until, limit } = step;
  const range = { after: place.after, until };
  const nothing = { violations: [], rowIds: [], counts: NOTHING_VERIFIED, rows: 0, last: until };
  switch (phase) {
    case 'problems':
      return { ...nothing, ...(await verifyAgain(db, walk, place.run.begunAt)) };
    case 'moved':
      if (place.run.isWhole) return nothing;
      return walk === 'wallets' ? verifyMovement(db, range) : verifyRange(db, walk, range);
    case 'part':
      return verifyRange(db, walk, { ...range, limit: (limit ?? 0) - place.rows });
  }
}

/** The counts of connections are few and always compared. */
async function verifyAgain(db: Db, walk: Walk, begunAt: string): Promise<Findings> {
  const { violations, rowIds } = await problems.verifyAgain(db, walk, begunAt);
  const connections = isOfCounts(walk) ? await verifyConnectionCounts(db) : [];
  return { violations: [...violations, ...connections], rowIds };
}

/** Records what is done, and returns where the run goes on; null at its end. */
async function advance(
  db: Db,
  step: Step,
  place: RunPosition,
  slice: RangeSlice,
): Promise<RunPosition | null> {
  const { phase, walk, after, until, limit = Number.POSITIVE_INFINITY } = step;
  const rows = place.rows + slice.rows;
  const run = { ...place.run };
  if (phase === 'moved' && walk === 'wallets') run.movedWallets += slice.rows;
  if (phase === 'part') {
    const { begunAt } = run;
    await recordPart(db, walk, { after, until: slice.last, rows, begunAt });
  }
  if (slice.last !== until && rows < limit) return { run, after: slice.last, rows };

  // A part that ends before the last row leaves the rest to later runs.
  if (phase === 'part' && slice.last !== until && !isOfCounts(walk)) run.isWhole = false;
  const [, ...steps] = run.steps;
  if (phase === 'moved' && steps[0]?.phase !== 'moved') {
    await recordMovement(db, run.verified, run.movedWallets);
  }
  return steps.length === 0 ? null : startOf({ ...run, steps });
}

function startOf(run: Run): RunPosition {
  return { run, after: run.steps[0]?.after ?? NO_ID, rows: 0 };
}
