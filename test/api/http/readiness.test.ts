import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createReadiness } from '../../../api/http/readiness.ts';
import { useDatabase } from '../../support/fixtures.ts';

const { db } = await useDatabase();

it('asks once for callers at the same time and for a second after, then again', async () => {
  const asked: string[] = [];
  let answer = (_: boolean): void => undefined;
  const queries = ({ sql }: { sql: string }) => asked.push(sql);
  db.on('query', queries);
  const readiness = createReadiness(db, {
    isReachable() {
      asked.push('temporal');
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
  });

  const first = Promise.all(Array.from({ length: 500 }, () => readiness.check()));
  await sleep(50);
  answer(true);
  for (const reachable of await first)
    expect(reachable).toEqual({ postgres: true, temporal: true });
  await readiness.check();
  const asking = expect.stringContaining('transaction_read_only');
  expect(asked.sort()).toEqual([asking, 'temporal']);

  // What changed is seen a second later.
  await expect
    .poll(
      async () => {
        const later = readiness.check();
        answer(false);
        return (await later).temporal;
      },
      { timeout: 5_000 },
    )
    .toBe(false);
  expect(asked.sort()).toEqual([asking, asking, 'temporal', 'temporal']);
  db.removeListener('query', queries);
});
