import { Refusal } from './errors.ts';
import type { ImportId, TenantId, UserId } from './ids.ts';
import type { InvalidRow } from './import-file.ts';

/** How far an import is: once approved it is run, and it may be taken back. */
export const IMPORT_STATUSES = [
  'draft',
  'running',
  'done',
  'withdrawn',
  'reverting',
  'reverted',
] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** How many rows were brought over, wait for their owners, or were of somebody brought already. */
export type RowCounts = { matched: number; waiting: number; repeated: number };

/** An import of members. The counts of a draft are what is foreseen. */
export type MemberImport = RowCounts & {
  id: ImportId;
  tenantId: TenantId;
  status: ImportStatus;
  /** Below the header, those with mistakes included. */
  rows: number;
  /** Of the rows that could be taken. */
  points: number;
  invalid: InvalidRow[];
  /** What a revert could not take, because it was used. */
  notTaken: number;
  createdBy: UserId;
  createdAt: Date;
  approvedAt: Date | null;
};

/** A row whose turn it is, by the owner of its contact, null while nobody has verified it. */
export type DecidableRow = { id: string; fingerprint: string; owner: UserId | null };

/** What of a shop's imports counts already. */
export type Brought = {
  users: ReadonlySet<UserId>;
  waiting: ReadonlySet<string>;
  /** The contacts of rows of imports that were approved earlier, whose turn is still to come. */
  open: ReadonlySet<string>;
};

/** What becomes of a row. */
export type DecidedRow<Row extends DecidableRow> =
  | { row: Row; state: 'matched'; owner: UserId }
  | { row: Row; state: 'waiting' | 'repeated' };

/**
 * Decides about rows in their order. A person is brought over once, and a contact waits once: the
 * first row counts, those of earlier imports before all.
 */
export function decideRows<Row extends DecidableRow>(
  rows: readonly Row[],
  before: Brought,
): DecidedRow<Row>[] {
  const users = new Set(before.users);
  const waiting = new Set(before.waiting);
  return rows.map((row): DecidedRow<Row> => {
    const { owner, fingerprint } = row;
    if (before.open.has(fingerprint)) return { row, state: 'repeated' };
    if (owner !== null) {
      if (users.has(owner)) return { row, state: 'repeated' };
      users.add(owner);
      return { row, state: 'matched', owner };
    }
    if (waiting.has(fingerprint)) return { row, state: 'repeated' };
    waiting.add(fingerprint);
    return { row, state: 'waiting' };
  });
}

/** Counts what becomes of rows. */
export function countRows(decided: readonly { state: keyof RowCounts }[]): RowCounts {
  const counts = { matched: 0, waiting: 0, repeated: 0 };
  for (const { state } of decided) counts[state]++;
  return counts;
}

/** What an administrator or a merchant does to an import. */
export type ImportAct = 'approve' | 'revert' | 'withdraw';

const ACTS = {
  approve: { of: 'draft', done: ['running', 'done'] },
  revert: { of: 'done', done: ['reverting', 'reverted'] },
  withdraw: { of: 'draft', done: ['withdrawn'] },
} as const satisfies Record<ImportAct, { of: ImportStatus; done: readonly ImportStatus[] }>;

/**
 * Whether an act is still to be done: false where it was done before. Throws `import_state` where
 * the status does not allow it.
 */
export function isToDo(act: ImportAct, status: ImportStatus): boolean {
  const { of, done } = ACTS[act];
  if (status === of) return true;
  if (done.some((one) => one === status)) return false;
  throw wrongState(status);
}

/** The refusal of an act that the state of an import does not allow. */
function wrongState(status: ImportStatus): Refusal {
  const message = `The import is ${status}. Look at it again.`;
  return new Refusal('RULE_REJECTED', message, { issue: 'import_state', params: { status } });
}

/** For how long an import can be taken back after its approval. */
const REVERTED_WITHIN_MS = 24 * 3_600_000;

/** Throws `import_state` where the time to take an import back is over. */
export function requireRevertible({ approvedAt, status }: MemberImport, now: Date): void {
  if (approvedAt !== null && now.getTime() - approvedAt.getTime() <= REVERTED_WITHIN_MS) return;
  throw wrongState(status);
}

/** Throws `import_changed` unless an administrator repeats the sum of an import. */
export function requireSum({ points }: MemberImport, repeated: number): void {
  if (repeated === points) return;
  const message = `The import has ${points} points. Look at it again.`;
  throw new Refusal('RULE_REJECTED', message, { issue: 'import_changed', params: { points } });
}

/**
 * Whether a wallet takes points of an import: what it cannot hold does not stop the others, and one
 * whose owner was erased takes none.
 */
export function takesImport(
  { balance, isClosed = false }: { balance: number; isClosed?: boolean },
  points: number,
): boolean {
  return !isClosed && Number.isSafeInteger(balance + points);
}
