import type { StatementDeps } from '../../../activities/statements/index.ts';
import { createStatementActivities } from '../../../activities/statements/index.ts';
import type { Db } from '../../../db/connection.ts';
import type { TenantId } from '../../../domain/ids.ts';
import { createSubkeys } from '../../../gateways/crypto/sealer.ts';
import { createStatementKeys } from '../../../gateways/crypto/statement-keys.ts';
import type { ObjectStore } from '../../../gateways/objects/store.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import { testKeys } from '../factories.ts';

/** The keys that sign statements in the tests. */
export const testStatementKeys = createStatementKeys(createSubkeys(testKeys, 'statement signing'));

export type MemoryStore = ObjectStore & { objects: Map<string, Buffer> };

/** A store of objects that holds them in memory. */
export function createMemoryStore(): MemoryStore {
  const objects = new Map<string, Buffer>();
  return {
    objects,
    async put(name, { bytes }) {
      objects.set(name, bytes);
    },
    async delete(name) {
      objects.delete(name);
    },
    get: async (name) => objects.get(name),
  };
}

/**
 * Collects what has moved and signs and stores statements about it, as a run does whose day is
 * `day`. Each call collects again, if it is called for another day than the one before.
 */
export async function signAll(db: Db, objects: ObjectStore, day: string): Promise<void> {
  const activities = createStatementActivities(statementDeps(db, objects));
  await activities.collectMovedWallets();
  await db('statement_progress').update({ day });
  await signDue(db, objects);
}

/** Signs and stores what is due of the day for which wallets were collected last. */
export async function signDue(db: Db, objects: ObjectStore): Promise<void> {
  const activities = createStatementActivities(statementDeps(db, objects));
  for (let after: string | null = null; ; ) {
    const { next } = await activities.signStatements(after);
    if (next === null) break;
    after = next;
  }
  await activities.storeStatements();
}

/** The dependencies of the activities that sign and store statements. */
export function statementDeps(db: Db, objects: ObjectStore): StatementDeps {
  const log = createLogger({ level: 'silent', service: 'test' });
  return { db, objects, log, statementKeys: testStatementKeys };
}

/** A tenant's statements, the first one first. */
export async function statementsOf(
  db: Db,
  tenantId: TenantId,
): Promise<{ number: number; day: string; size: number; text: string; signature: Buffer }[]> {
  return db('ledger_statements')
    .where({ tenantId })
    .orderBy('number')
    .select('number', db.raw('day::text as day'), 'size', 'text', 'signature');
}
