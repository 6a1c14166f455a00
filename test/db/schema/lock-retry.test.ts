import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Db, oneSession } from '../../../db/connection.ts';
import { limitSessionWaits, retryOnLockTimeout } from '../../../db/schema/lock-retry.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.ts';

let database: TestDatabase;
let session: Db;
let told: string[];
beforeEach(async () => {
  database = await createTestDatabase();
  session = oneSession(database.owner);
  told = [];
});
afterEach(async () => {
  await session.destroy();
  await database.close();
});

const alter = () => session.raw('alter table payments add column note text');
const waiting = () => ({
  session,
  db: database.owner,
  tell: (line: string) => void told.push(line),
});

/** Opens a transaction that has read payments, and leaves it open. */
async function aReader() {
  const tx = await database.db.transaction();
  await tx.raw('select count(*) from payments');
  return tx;
}

describe('retryOnLockTimeout', () => {
  it('lets others go first, reports what blocks it, and does the work once it can', async () => {
    await limitSessionWaits(session, true);
    const reader = await aReader();
    const work = retryOnLockTimeout(waiting(), alter);

    await expect.poll(() => told).toContain('Could not get a lock; retrying in 0.5 s.');
    // Who looks from outside may come after the first attempt has ended.
    const blocker =
      /^Waiting for loyalty-test \(role \w+, Postgres process \d+\), which holds payments\.$/m;
    await expect.poll(() => told.join('\n'), { timeout: 20_000 }).toMatch(blocker);
    // Nothing blocks other statements any more, although the reader is still open.
    await database.db.raw('select count(*) from payments');
    await reader.rollback();
    await work;
    await database.owner.raw('select note from payments');
  });

  it('does not report who looks', async () => {
    await limitSessionWaits(session, true);
    const reader = await aReader();
    const looking = { ...waiting(), db: reader, patienceMs: 1_000 };
    await expect(retryOnLockTimeout(looking, alter)).rejects.toThrow('gave up');
    await reader.rollback();
    expect(told).toEqual(['Could not get a lock; retrying in 0.5 s.']);
  });

  it('gives up after a while, and reports what blocks it', async () => {
    await limitSessionWaits(session, true);
    const reader = await aReader();
    // One attempt may end before anybody has looked who blocks it.
    await expect(retryOnLockTimeout({ ...waiting(), patienceMs: 2_000 }, alter)).rejects.toThrow(
      /gave up.*End what holds them.*loyalty-test.*payments/,
    );
    await reader.rollback();
  });

  it('reports what blocks work without a lock timeout, and lets it wait', async () => {
    await limitSessionWaits(session, false);
    const reader = await aReader();
    const work = retryOnLockTimeout(waiting(), alter);
    await expect.poll(() => told.length).toBe(1);
    await reader.rollback();
    await work;
    expect(told).toHaveLength(1);
  });

  it('does not retry work that failed for another reason', async () => {
    let times = 0;
    const failing = async () => {
      times += 1;
      await session.raw('select 1 / 0');
    };
    await expect(retryOnLockTimeout(waiting(), failing)).rejects.toThrow('division by zero');
    expect(times).toBe(1);
  });
});
