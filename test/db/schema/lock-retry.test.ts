import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Db, oneSession } from '../../../db/connection.ts';
import { limitLockWaits, retryOnLockTimeout } from '../../../db/schema/lock-retry.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

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

/** A transaction that has read payments, and goes on. */
async function aReader() {
  const tx = await database.db.transaction();
  await tx.raw('select count(*) from payments');
  return tx;
}

describe('givingWay', () => {
  it('lets others go first, says whom it waits for, and does the work once it can', async () => {
    await limitLockWaits(session, true);
    const reader = await aReader();
    const work = retryOnLockTimeout(waiting(), alter);

    await expect.poll(() => told.at(-1)).toMatch(/^Gave way/);
    // Nobody stands in the way any more, although the reader is still there.
    await database.db.raw('select count(*) from payments');
    await reader.rollback();
    await work;
    expect(told[0]).toMatch(
      /^Waiting for loyalty-test of \w+ \(process \d+ of Postgres\), which holds payments\.$/,
    );
    expect(told[1]).toBe('Gave way to others; trying again in 0.5 s.');
    await database.owner.raw('select note from payments');
  });

  it('gives up after a while, and says who is in the way', async () => {
    await limitLockWaits(session, true);
    const reader = await aReader();
    await expect(retryOnLockTimeout({ ...waiting(), patienceMs: 0 }, alter)).rejects.toThrow(
      /gave up.*End what holds it.*loyalty-test.*payments/,
    );
    await reader.rollback();
  });

  it('says whom work waits for that nobody waits behind, and lets it wait', async () => {
    await limitLockWaits(session, false);
    const reader = await aReader();
    const work = retryOnLockTimeout(waiting(), alter);
    await expect.poll(() => told.length).toBe(1);
    await reader.rollback();
    await work;
    expect(told).toHaveLength(1);
  });

  it('does not repeat what failed for another reason', async () => {
    let times = 0;
    const failing = async () => {
      times += 1;
      await session.raw('select 1 / 0');
    };
    await expect(retryOnLockTimeout(waiting(), failing)).rejects.toThrow('division by zero');
    expect(times).toBe(1);
  });
});
