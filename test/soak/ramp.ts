import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../../bench/statistics.ts';
import { untilReached } from '../simulation/until-reached.ts';
import type { Deployment } from './deployment.ts';
import { pendingEvents } from './faults.ts';
import type { Traffic } from './traffic.ts';

/** What one step of the ramp has shown; the wait is that of 99 of 100 webhooks for their 200. */
export type RampStep = { perSecond: number; webhookP99Ms: number; backlog: number; held: boolean };

const RATES = [2, 5, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320];
/** Long enough for what waits to grow beyond the limit below when a provider's quota is used up. */
const STEP_MS = 30_000;
const MOST_WAIT_MS = 500;
/** At most the events of so many seconds wait at the end of a step. */
const BACKLOG_SECONDS = 1;
const CAUGHT_UP_WITHIN_MS = 60_000;

/**
 * Offers more and more operations per second, half a minute each, until the service does not keep
 * up: webhooks wait for their answer, or events to be ingested. Returns all steps; the last that
 * held is the sustainable rate. All that sends runs on the same machine, and is part of the limit.
 */
export async function ramp(
  deployment: Deployment,
  traffic: Traffic,
  say: (line: string) => void,
): Promise<RampStep[]> {
  const steps: RampStep[] = [];
  for (const perSecond of RATES) {
    const step = await measure(deployment, traffic, perSecond);
    steps.push(step);
    const { webhookP99Ms, backlog, held } = step;
    const shown = `webhooks p99 ${webhookP99Ms.toFixed(0)} ms, ${backlog} events waiting`;
    say(`Ramp, ${perSecond}/s: ${shown}: ${held ? 'held' : 'not held'}`);
    if (!held) break;
  }
  return steps;
}

/** The highest rate that was held. Throws if none was. */
export function sustainableOf(steps: readonly RampStep[]): number {
  const held = steps.filter((step) => step.held).map(({ perSecond }) => perSecond);
  if (held.length === 0) {
    throw new Error(`This machine does not sustain ${RATES[0]} operations a second: use --rate.`);
  }
  return Math.max(...held);
}

async function measure(
  { proxy, superuser }: Deployment,
  traffic: Traffic,
  perSecond: number,
): Promise<RampStep> {
  proxy.takeWaits();
  const until = performance.now() + STEP_MS;
  const offered = traffic.offer(perSecond, () => performance.now() < until);
  await sleep(STEP_MS);
  const backlog = await pendingEvents(superuser);
  const waits = proxy.takeWaits();
  const webhookP99Ms = waits.length === 0 ? Number.POSITIVE_INFINITY : percentile(waits, 99);
  await offered;
  const caughtUpBy = performance.now() + CAUGHT_UP_WITHIN_MS;
  while ((await untilReached(() => pendingEvents(superuser))) > 0) {
    if (performance.now() > caughtUpBy) break;
    await sleep(200);
  }
  const held = webhookP99Ms <= MOST_WAIT_MS && backlog <= BACKLOG_SECONDS * perSecond;
  return { perSecond, webhookP99Ms, backlog, held };
}
