import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate } from '../../../db/schema/migrate.ts';
import type { MigrationStep } from '../../../db/schema/progress.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.ts';

const MIGRATIONS = new URL('../../../migrations/', import.meta.url);

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'loyalty-progress-'));
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

it('tells which migration runs, what Postgres does for it, and how long it took', async () => {
  await writeFile(
    join(folder, '9000_index_payments.ts'),
    `export const config = { transaction: false };
     export const up = (db) => db.raw('create index concurrently a_test on payments (id)');
     export const down = (db) => db.raw('drop index a_test');`,
  );
  // An index that is built concurrently waits for it.
  const writer = await database.db.transaction();
  await writer.raw('lock table payments in row exclusive mode');
  const seen: MigrationStep[] = [];
  const took: { name: string; seconds: number }[] = [];
  let seenAtWork = Number.POSITIVE_INFINITY;
  const migrating = migrate(database.owner, {
    folders: [MIGRATIONS, pathToFileURL(`${folder}/`)],
    onStep(step) {
      seen.push(step);
      if (step.work !== undefined) seenAtWork = Math.min(seenAtWork, performance.now());
    },
    onMigrated: (name, seconds) => took.push({ name, seconds }),
  });
  let waitedMs = 0;
  await expect
    .poll(() => seen.find(({ work }) => work !== undefined), { timeout: 10_000 })
    .toMatchObject({
      name: '9000_index_payments',
      work: { phase: expect.stringContaining('waiting for'), total: 0 },
    })
    .finally(() => {
      waitedMs = performance.now() - seenAtWork;
      return writer.rollback();
    });
  expect(await migrating).toEqual(['9000_index_payments']);
  expect(took).toEqual([{ name: '9000_index_payments', seconds: expect.any(Number) }]);
  // At least as long as it was seen to wait.
  expect((took[0]?.seconds ?? 0) * 1000).toBeGreaterThanOrEqual(waitedMs);
  expect(seen[0]?.nth).toBe(seen[0]?.of);
  expect(seen.at(-1)).toMatchObject({ name: 'statistics' });
});
