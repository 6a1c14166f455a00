import { setTimeout as sleep } from 'node:timers/promises';
import { withCleanUps } from '../../bench/testbed.ts';
import { untilReached } from '../simulation/until-reached.ts';
import { type Deployment, startDeployment } from './deployment.ts';
import { createFaults, type Faults, type Pace, pendingEvents } from './faults.ts';
import { judge, type Line } from './judging.ts';
import { lineOf, prove } from './proof.ts';
import { ramp, sustainableOf } from './ramp.ts';
import { type Report, reportOf } from './report.ts';
import { createSampler } from './sampling.ts';
import { openShops } from './shops.ts';
import { createTraffic, type Traffic } from './traffic.ts';

export type Options = {
  seed: number;
  minutes: number;
  /** The sustainable rate in operations per second; undefined to find it by a ramp. */
  rate: number | undefined;
  hasFaults: boolean;
};

/** Under this, everything comes faster, so that each fault happens once. */
const BRIEF_MINUTES = 5;
const SHOPS = { shops: 6, consumersEach: 25 };
const BRIEF_SHOPS = { shops: 2, consumersEach: 10 };
const LONG_PACE: Pace = {
  everyMs: 45_000,
  awayMs: 3_000,
  refusingMs: 15_000,
  settleMs: 10_000,
  killsAlways: false,
};
const BRIEF_PACE: Pace = {
  everyMs: 2_000,
  awayMs: 1_000,
  refusingMs: 2_000,
  settleMs: 500,
  killsAlways: true,
};
const DRAINED_WITHIN_MS = 300_000;

type Brevity = { isBrief: boolean; sampleMs: number; sweepSeconds: number; pace: Pace };

function brevityOf(minutes: number): Brevity {
  return minutes < BRIEF_MINUTES
    ? { isBrief: true, sampleMs: 1_000, sweepSeconds: 2, pace: BRIEF_PACE }
    : { isBrief: false, sampleMs: 5_000, sweepSeconds: 60, pace: LONG_PACE };
}

/**
 * Offers half of the sustainable rate for so many minutes, causes faults meanwhile, and judges what
 * it has seen. With faults, it goes on until each kind has happened. Throws if a process of the
 * service ends by itself.
 */
export function soak(options: Options, say: (line: string) => void): Promise<Report> {
  const { seed, minutes } = options;
  const brevity = brevityOf(minutes);
  const { sweepSeconds, isBrief } = brevity;
  return withCleanUps(
    (on) => startDeployment(on, { seed, sweepSeconds, say }),
    async (deployment) => {
      say('Opening shops');
      const consumers = await openShops(deployment, isBrief ? BRIEF_SHOPS : SHOPS);
      return load(deployment, createTraffic(deployment, consumers, seed), {
        ...options,
        ...brevity,
        say,
      });
    },
  );
}

type Load = Options & Brevity & { say: (line: string) => void };

async function load(deployment: Deployment, traffic: Traffic, terms: Load): Promise<Report> {
  const { seed, minutes, rate, hasFaults, sampleMs, pace, say } = terms;
  const steps = rate === undefined ? await ramp(deployment, traffic, say) : [];
  const sustainable = rate ?? sustainableOf(steps);
  const offered = sustainable / 2;
  const usualBacklog = Math.max(5, Math.ceil(offered));
  const faults = createFaults(deployment, { seed, pace, usualBacklog, say });
  const { isDisturbing } = faults;
  const sampler = createSampler(deployment, { everyMs: sampleMs, isDisturbing });

  const startedAt = performance.now();
  const progress = () => (performance.now() - startedAt) / (minutes * 60_000);
  const isOver = () => progress() >= 1 && (!hasFaults || faults.isRoundDone());
  say(`Offering ${offered} operations a second, half of ${sustainable}, for ${minutes} min`);
  await Promise.all([
    traffic.offer(offered, () => !isOver()),
    sampler.run(isOver),
    hasFaults ? faults.cause(progress, isOver) : undefined,
  ]);
  const seconds = (performance.now() - startedAt) / 1_000;
  const drained = await drain(deployment, say);
  const { acknowledged } = deployment.proxy;
  const proof = await prove(deployment.superuser, { accounts: traffic.accounts, acknowledged });
  const { samples } = sampler;
  const { lines, judged } = judge(samples);
  const exact = [...drained.lines, ...recovered(faults), ...proof.lines];
  return reportOf({
    terms: { seed, minutes, offered, sustainable, steps },
    seconds,
    drainedSeconds: drained.seconds,
    deployment,
    accounts: traffic.accounts,
    proof,
    faults: faults.caused,
    samples,
    judged,
    lines: { exact, steady: lines },
  });
}

function recovered({ caused }: Faults): Line[] {
  const stuck = caused.filter(({ recoveredAfter }) => recoveredAfter === undefined);
  const names = stuck.map(({ fault, at }) => `${fault} at ${at.toFixed(0)} s`);
  return [lineOf('recovered from every fault', `${caused.length} faults`, names)];
}

/** Lets everything come to its end: webhooks, events, and codes, whose time is made to run out. */
async function drain(
  { providers, superuser }: Deployment,
  say: (line: string) => void,
): Promise<{ lines: Line[]; seconds: number }> {
  say('Waiting until everything has come to its end');
  const startedAt = performance.now();
  const isLate = () => performance.now() - startedAt > DRAINED_WITHIN_MS;
  const delivered = Promise.all([providers.alpha.idle(), providers.beta.idle()]);
  await Promise.race([delivered, sleep(DRAINED_WITHIN_MS, undefined, { ref: false })]);
  await untilReached(() =>
    superuser.raw(
      `update redemptions set created_at = created_at - interval '1 hour', expires_at = now()
       where status = 'issued' and expires_at > now()`,
    ),
  );
  let left = await leftOver(superuser);
  for (; left.length > 0 && !isLate(); left = await leftOver(superuser)) await sleep(200);
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    lines: [lineOf('everything came to its end', `${seconds.toFixed(1)} s`, left)],
    seconds,
  };
}

/** Says what has not come to its end yet. */
async function leftOver(db: Deployment['superuser']): Promise<string[]> {
  const events = await untilReached(() => pendingEvents(db));
  const { rows } = await untilReached(async () =>
    db.raw<{ rows: { count: number }[] }>(
      `select count(*) from redemptions where status = 'issued'`,
    ),
  );
  const codes = rows[0]?.count ?? 0;
  return [
    ...(events > 0 ? [`${events} events are not ingested`] : []),
    ...(codes > 0 ? [`${codes} overdue codes have not expired`] : []),
  ];
}
