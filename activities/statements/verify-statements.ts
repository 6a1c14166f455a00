import type { Db } from '../../db/connection.ts';
import { NO_ID } from '../../db/ledger/verification/whole.ts';
import { listFrom } from '../../db/statements/proofs.ts';
import * as kept from '../../db/statements/verification.ts';
import type { LedgerViolation } from '../../domain/ledger-report.ts';
import { NO_HASH, parseStatement, type Statement, statementName } from '../../domain/statement.ts';
import { hashOfStatement } from '../../gateways/crypto/proof-check.ts';
import type { StatementKeys } from '../../gateways/crypto/statement-keys.ts';
import { rootOfWallets } from '../../gateways/crypto/statement-tree.ts';
import type { ObjectStore } from '../../gateways/objects/store.ts';
import { readStatement } from '../../gateways/objects/stored-statements.ts';

export type StatementsToVerify = {
  db: Db;
  objects: Pick<ObjectStore, 'get'>;
  statementKeys: StatementKeys;
};

/** What a step has found; `last` is the last statement it has seen, null when that was the end. */
export type VerifiedStatements = {
  violations: LedgerViolation[];
  statements: number;
  last: string | null;
};

/** How many statements one step verifies: each may have a megabyte. */
export const STATEMENTS_PER_STEP = 20;

/**
 * Compares the next statements with their signatures, with each other, with the object store, and
 * their wallets with the ledger. What the owner of the database changes, also all of it together,
 * does not agree with a signature. Changes nothing. Throws ObjectStoreUnavailable.
 */
export async function verifyStatements(
  deps: StatementsToVerify,
  { after, limit }: { after: string; limit: number },
): Promise<VerifiedStatements> {
  const rows = await kept.listAfter(deps.db, after, limit);
  const violations: LedgerViolation[] = [];
  for (const row of rows) violations.push(...(await verifyStatement(deps, row)));
  const last = rows.length < limit ? null : (rows.at(-1)?.id ?? null);
  return { violations, statements: rows.length, last };
}

/** Compares all statements, a few at a time, as `verifyStatements` does. */
export async function verifyAllStatements(
  deps: StatementsToVerify,
): Promise<Omit<VerifiedStatements, 'last'>> {
  const violations: LedgerViolation[] = [];
  let statements = 0;
  let after: string | null = NO_ID;
  while (after !== null) {
    const step = { after, limit: STATEMENTS_PER_STEP };
    const slice: VerifiedStatements = await verifyStatements(deps, step);
    violations.push(...slice.violations);
    statements += slice.statements;
    after = slice.last;
  }
  return { violations, statements };
}

async function verifyStatement(
  deps: StatementsToVerify,
  row: kept.KeptStatement,
): Promise<LedgerViolation[]> {
  const { tenantId, number } = row;
  const violation = (problem: string): LedgerViolation => {
    return { walletId: null, tenantId, seq: null, problem: `statement ${number} ${problem}` };
  };
  const statement = parseStatement(row.text);
  if (statement === undefined) return [violation('cannot be read')];
  const problem = textProblem(deps.statementKeys, row, statement);
  if (problem !== undefined) return [violation(problem)];
  const found: LedgerViolation[] = [];
  if (row.isNewest && (await isFollowedInStore(deps, statement))) {
    found.push(violation('is the last one here, and the object store has one after it'));
  }
  // Until it is stored, the only copy is where the ledger is, and proves nothing.
  if (!row.isStored) return found;
  const stored = await readStatement(deps.objects, statement);
  if (stored === undefined) return [...found, violation('is not in the object store')];
  if (stored.text !== row.text || rootOfWallets(stored.wallets) !== statement.root) {
    return [...found, violation('is another one in the object store')];
  }
  const wallets = await kept.differing(deps.db, tenantId, stored.wallets);
  return [
    ...found,
    ...wallets.map((wallet) => {
      return { ...wallet, tenantId, problem: `statement ${number} names another entry` };
    }),
  ];
}

function textProblem(
  keys: StatementKeys,
  { tenantId, number, text, signature, previousText }: kept.KeptStatement,
  statement: Statement,
): string | undefined {
  const { keyId } = statement;
  if (statement.tenantId !== tenantId || statement.number !== number) return 'is of another place';
  if (!keys.known.some((key) => key.keyId === keyId)) {
    return `is signed with key ${keyId}, which is unknown: add it to STATEMENT_PUBLIC_KEYS`;
  }
  if (!keys.verify(text, { keyId, signature })) return 'has a signature that is not of its key';
  const previous = previousText === null ? NO_HASH : hashOfStatement(previousText);
  const hasPrevious = (previousText !== null) === number > 1;
  if (!hasPrevious || statement.previous !== previous) return 'does not follow the one before it';
  return undefined;
}

/** Whether the store has the next statement and the database has not, also not by now. */
async function isFollowedInStore(
  { db, objects }: StatementsToVerify,
  { tenantId, number }: Statement,
): Promise<boolean> {
  const next = { tenantId, number: number + 1 };
  if ((await objects.get(statementName(next))) === undefined) return false;
  return (await listFrom(db, tenantId, { ...next, limit: 1 })).length === 0;
}
