import { randomUUID } from 'node:crypto';
import { createIngestPolicy } from '../activities/ingestion/decide/ingest-policy.ts';
import { checkGaps as askAboutGaps } from '../activities/truth/check-gaps.ts';
import { compareDay, type TruthDeps } from '../activities/truth/compare-day.ts';
import { ConfigSchema } from '../config.ts';
import * as truthDays from '../db/connections/truth-days.ts';
import { ConnectionId } from '../domain/ids.ts';
import { dayTextOf } from '../domain/intervals.ts';
import { createSealer } from '../gateways/crypto/sealer.ts';
import { openProviders, ProviderSettings } from '../gateways/providers/index.ts';
import { createMetrics } from '../gateways/telemetry/metrics.ts';
import {
  type Call,
  type Command,
  parseId,
  requireDay,
  requireNoArguments,
  UsageError,
} from './command.ts';
import { requireSandbox } from './sandbox-only.ts';

export const truth: Command = {
  usage: 'truth CONNECTION DAY',
  summary: "Compares a day of a connection with its provider's own list, as each night",
  async run(call) {
    const [connection, day, ...others] = call.args;
    if (connection === undefined) throw new UsageError('CONNECTION is missing.');
    if (day === undefined) throw new UsageError('DAY is missing.');
    requireNoArguments(others);
    const connectionId = parseId(ConnectionId, connection, 'CONNECTION');
    requireDay(day);
    const at = await truthDays.findCompared(call.db, connectionId);
    if (at === undefined) throw new Error('There is no such connection, or it is not active.');
    if (day > dayTextOf(new Date(), at.timeZone)) requireSandbox(call);
    const comparing = { ...running(), isAsked: false };
    const compared = await compareDay(depsOf(call), { connectionId, day }, comparing);
    if (!('missing' in compared)) {
      const text = `${day} was not compared: ${WHY[compared.status]}.\n`;
      return { data: { day, ...compared }, text, failed: compared.status === 'away' };
    }
    const { status, missing, changed, unknown, repaired } = compared;
    const found = `${missing} missing, ${changed} changed, ${unknown} unknown`;
    const text = `${day} ${WORDS[status]}: ${found}, ${repaired} repaired.\n`;
    return { data: { day, ...compared }, text };
  },
};

const WHY = {
  away: 'its provider does not answer, or its merchant has to connect again',
  gone: 'it ended before the tenant had the account',
} as const;
const WORDS = {
  agrees: 'agrees',
  repaired: 'was repaired',
  differs: 'differs',
  unavailable: 'has too many sales to be compared',
} as const;

export const checkGaps: Command = {
  usage: 'check-gaps',
  summary: 'Asks providers about accounts that are silent here, as every 15 minutes',
  async run(call) {
    requireNoArguments(call.args);
    const checked = await askAboutGaps(depsOf(call), running());
    const text = `${checked.asked} asked about, ${checked.gaps} with missed sales.\n`;
    return { data: checked, text };
  },
};

function running() {
  return { run: randomUUID(), signal: new AbortController().signal, heartbeat: () => undefined };
}

function depsOf({ db, settings }: Call): TruthDeps {
  const config = settings(
    ConfigSchema.pick({
      ENCRYPTION_KEY: true,
      API_BASE_URL: true,
      PAYMENT_REFUNDS: true,
    }),
  );
  const ofProviders = settings(ProviderSettings);
  const metrics = createMetrics('worker');
  const place = { apiBaseUrl: config.API_BASE_URL };
  return {
    db,
    metrics,
    tokenSealer: createSealer(config.ENCRYPTION_KEY),
    providers: openProviders(ofProviders, metrics, place),
    ingestPolicy: createIngestPolicy(config.PAYMENT_REFUNDS, config.ENCRYPTION_KEY),
    truthRepairs: ofProviders.TRUTH_REPAIRS,
  };
}
