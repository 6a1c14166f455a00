import { wrongBalances, wrongPayments } from '../../bench/verify-run.ts';
import type { Db } from '../../db/connection.ts';
import { verifyLedger } from '../../db/ledger/verification/whole.ts';
import { describeViolation } from '../../domain/ledger-report.ts';
import { testCodes } from '../support/points/redemptions.ts';
import type { Accounts } from './accounts.ts';
import type { Line } from './judging.ts';

export type Proof = {
  lines: Line[];
  /** How many events ended in each way. */
  outcomes: Record<string, number>;
  /** Events that are stored although no provider got a 200 for them, who then sent them again. */
  storedWithoutAnswer: number;
  redemptions: Record<string, number>;
};

const MOST_PROBLEMS = 5;

/**
 * Compares the database with all that the service has answered, once everything has come to its
 * end: each webhook that was answered with 200 is stored once and has an outcome; each sale is
 * credited once, to its buyer and in full, and its refunds are settled; each confirm left one
 * redemption and each burn used one; balances and ledger are what all of that makes of them.
 */
export async function prove(
  db: Db,
  { accounts, acknowledged }: { accounts: Accounts; acknowledged: readonly string[] },
): Promise<Proof> {
  const events = await readOutcomes(db);
  const redemptions = await readRedemptions(db);
  const { violations } = await verifyLedger(db);
  const lines = [
    lineOf(
      'every webhook answered 200 stored once and closed',
      `${acknowledged.length} webhooks`,
      wrongWebhooks(events.times, acknowledged),
    ),
    lineOf(
      'every sale credited once, every refund settled',
      `${accounts.sales.size} sales, ${accounts.counts.refunds} refunds`,
      await wrongPayments(db, accounts.sales),
    ),
    lineOf(
      'every answered confirm left one redemption, every answered burn used one',
      `${accounts.codes.length} confirms, ${accounts.burned.size} burns`,
      wrongRedemptions(redemptions, accounts),
    ),
    lineOf(
      'balances are what sales, refunds and codes make of them',
      'all wallets',
      await wrongBalances(db, accounts.sales),
    ),
    lineOf('ledger verified', 'as npm run verify does', violations.map(describeViolation)),
    lineOf('every answer explained', 'refusals and failures', accounts.unexpected),
  ];
  const stored = [...events.times.values()].reduce((sum, times) => sum + times, 0);
  return {
    lines,
    outcomes: events.outcomes,
    storedWithoutAnswer: stored - acknowledged.length,
    redemptions: countsOf([...redemptions.values()]),
  };
}

/** A line that passes when there are no problems. */
export function lineOf(name: string, checked: string, problems: readonly string[]): Line {
  if (problems.length === 0) return { name, verdict: 'passed', detail: checked };
  const more = problems.length - MOST_PROBLEMS;
  const shown = problems.slice(0, MOST_PROBLEMS).join('; ');
  return {
    name,
    verdict: 'failed',
    detail: `${checked}: ${shown}${more > 0 ? `; and ${more} more` : ''}`,
  };
}

type Outcomes = { times: Map<string, number>; outcomes: Record<string, number> };

/** How many closed events there are of each delivery, and of each outcome. */
async function readOutcomes(db: Db): Promise<Outcomes> {
  const { rows } = await db.raw<{ rows: { correlationId: string; outcome: string }[] }>(
    'select correlation_id, outcome from event_outcomes',
  );
  const times = new Map<string, number>();
  for (const { correlationId } of rows) {
    times.set(correlationId, (times.get(correlationId) ?? 0) + 1);
  }
  return { times, outcomes: countsOf(rows.map(({ outcome }) => outcome)) };
}

function wrongWebhooks(
  times: ReadonlyMap<string, number>,
  acknowledged: readonly string[],
): string[] {
  return acknowledged.flatMap((id) => {
    const found = times.get(id) ?? 0;
    return found === 1 ? [] : [`${found} closed events of webhook ${id}`];
  });
}

/** The status of each redemption by the HMAC of its code. */
async function readRedemptions(db: Db): Promise<Map<string, string>> {
  const { rows } = await db.raw<{ rows: { hmac: string; status: string }[] }>(
    `select encode(code_hmac, 'hex') as hmac, status from redemptions`,
  );
  return new Map(rows.map(({ hmac, status }) => [hmac, status]));
}

function wrongRedemptions(
  redemptions: ReadonlyMap<string, string>,
  { codes, burned, unanswered }: Accounts,
): string[] {
  const statusOf = (code: string) =>
    testCodes
      .hmacsOf(code)
      .map((hmac) => redemptions.get(hmac.toString('hex')))
      .find((status) => status !== undefined);
  const problems = codes.flatMap((code) => {
    const status = statusOf(code);
    if (status === undefined) return ['a code that was answered is not stored'];
    if (burned.has(code) && status !== 'used') return [`a code that was used is ${status}`];
    return status === 'issued' ? ['an overdue code has not expired'] : [];
  });
  if (new Set(codes).size !== codes.length) problems.push('two confirms got the same code');
  const used = [...redemptions.values()].filter((status) => status === 'used').length;
  const excess = { confirms: redemptions.size - codes.length, burns: used - burned.size };
  for (const kind of ['confirms', 'burns'] as const) {
    if (excess[kind] >= 0 && excess[kind] <= unanswered[kind]) continue;
    problems.push(`${excess[kind]} more ${kind} took effect than were answered`);
  }
  return problems;
}

function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
