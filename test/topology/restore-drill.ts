import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { connectTemporal } from '../../gateways/temporal/connection.ts';
import { readTemporalPlace } from '../../gateways/temporal/settings.ts';
import { STATEMENTS_SCHEDULE_ID } from '../../workflows/ids.ts';
import { required } from '../support/factories.ts';
import { createClient } from './client.ts';
import { untilDrained } from './draining.ts';
import { clockOf, digestOf } from './ledger-digest.ts';
import type { Topology } from './topology.ts';
import { deliver } from './traffic.ts';
import { wrongCredits } from './verify-credits.ts';

const SALES = 300;
const PER_SECOND = 100;
/** Commits are told apart from the moment to restore to by this at least. */
const APART_MS = 1_500;
const SIGNED_WITHIN_MS = 120_000;

export type Drill = {
  /** What each step took, in seconds, in their order. */
  steps: { step: string; seconds: number }[];
  /** What is wrong after it; nothing if it succeeded. */
  problems: string[];
};

/**
 * Rehearses the loss of the database, as docs/operating.md describes it: sales, a base backup, more
 * sales, statements about them, the moment to go back to, sales that will be lost; then the data is
 * destroyed while Temporal runs on, restored to that moment, migrated and verified, and the service
 * is started. The ledger must be whole, agree with each signed statement, and be as it was at that
 * moment to the last hash; what is delivered again must be credited if it was lost, and not if it
 * was not.
 */
export async function restoreDrill(
  topology: Topology,
  say: (line: string) => void,
): Promise<Drill> {
  const { db, apis, workers, postgres } = topology;
  const client = createClient(topology.port, 64);
  const sell = async (name: string) => {
    const shouldContinue = (seconds: number) => seconds * PER_SECOND < SALES;
    const sent = await deliver(
      topology,
      client,
      { name },
      { perSecond: PER_SECOND, shouldContinue, retry: true },
    );
    await untilDrained(db, 120);
    return sent;
  };
  const steps: Drill['steps'] = [];
  const problems: string[] = [];
  const timed = async (step: string, work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    const seconds = (performance.now() - startedAt) / 1000;
    steps.push({ step, seconds });
    say(`${step}: ${seconds.toFixed(1)} s`);
  };
  const expectEqual = (what: string, actual: unknown, wanted: unknown) => {
    if (actual !== wanted) problems.push(`${what}: ${actual} instead of ${wanted}`);
  };

  const before = await sell('before');
  await timed('base backup, while the service runs', () => postgres.backUp());
  const after = await sell('after');
  const signed = await signStatements(topology);
  say(`${signed} statements signed`);
  await sleep(APART_MS);
  const moment = await clockOf(db);
  const ledger = await digestOf(db);
  await sleep(APART_MS);
  const lost = await sell('lost');
  await postgres.archiveLog();

  for (const member of [...apis, ...workers]) await member.kill();
  await postgres.destroy();
  say('the database is gone; Temporal runs on');
  await timed('restore to the moment', () => postgres.restore(moment));
  await timed('migrate', () => topology.migrate());
  await timed('verify', async () => {
    const { status, text } = await topology.verify();
    if (status !== 0) problems.push(`verify ended with ${status}: ${text}`);
    const [, compared] = /Compared (\d+) signed statements/.exec(text) ?? [];
    expectEqual('signed statements that were compared', Number(compared), signed);
  });
  expectEqual('the ledger at the moment', await digestOf(db), ledger);
  await timed('start', async () => {
    for (const member of [...workers, ...apis]) await member.start();
  });

  // As providers and merchants would, who cannot know what was lost.
  for (const [name, sent] of Object.entries({ before, after, lost })) {
    const again = await sell(name);
    const accepted = new Set([...sent.accepted, ...again.accepted]);
    const count = Math.max(sent.count, again.count);
    problems.push(...(await wrongCredits(db, { name }, { accepted, count })));
  }
  client.close();
  return { steps, problems };
}

/** Lets the service sign what has moved, as after midnight; returns how many statements it has. */
async function signStatements({ db, env }: Topology): Promise<number> {
  // As if the day about which it has signed had ended again.
  await db('statement_progress').update({ day: db.raw('day - 1') });
  const place = required(readTemporalPlace(env, []));
  const connection = await connectTemporal(place.connection);
  const { schedule } = new Client({ connection, namespace: place.namespace });
  await schedule.getHandle(STATEMENTS_SCHEDULE_ID).trigger();
  await connection.close();
  for (const deadline = Date.now() + SIGNED_WITHIN_MS; Date.now() < deadline; await sleep(200)) {
    const { rows } = await db.raw<{ rows: { signed: number; open: number }[] }>(
      `select (select count(*) from ledger_statements) as signed,
         (select count(*) from unstored_statements) as open`,
    );
    const { signed, open } = required(rows[0]);
    if (signed > 0 && open === 0) return signed;
  }
  throw new Error(`No statements were signed and stored within ${SIGNED_WITHIN_MS / 1000} s.`);
}
