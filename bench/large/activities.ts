import { type ActivityDeps, createActivities } from '../../activities/index.ts';
import type { Db } from '../../db/connection.ts';
import * as pollPositions from '../../db/connections/poll-positions.ts';
import { createRedemptionCodes } from '../../gateways/crypto/redemption-codes.ts';
import { createSealer } from '../../gateways/crypto/sealer.ts';
import { createStatementKeys } from '../../gateways/crypto/statement-keys.ts';
import { createStopLinks } from '../../gateways/crypto/stop-links.ts';
import { openProviders, ProviderSettings } from '../../gateways/providers/index.ts';
import { createLogger } from '../../gateways/telemetry/logger.ts';
import { createMetrics } from '../../gateways/telemetry/metrics.ts';
import { API_BASE_URL, ingestPolicy } from '../settings.ts';

const KEYS = [{ id: 'k1', key: new Uint8Array(32) }];
/** More connections than any database of the benchmark has. */
const ALL = 1_000_000;

/** The worker's activities on this database. Nothing of what is due there reaches outside. */
export function activitiesOn(db: Db) {
  const unexpected = () => Promise.reject(new Error('The benchmark expects no such call.'));
  const metrics = createMetrics('worker');
  const deps: ActivityDeps = {
    db,
    tokenSealer: createSealer(KEYS),
    providers: openProviders(ProviderSettings.parse({}), metrics, { apiBaseUrl: API_BASE_URL }),
    codes: createRedemptionCodes(KEYS),
    ingestPolicy,
    expiredCodes: 'refund',
    truthRepairs: 'none',
    mailer: { send: unexpected, async close() {} },
    directory: { invite: unexpected, async check() {} },
    frontendUrl: API_BASE_URL,
    adminEmailDomain: 'bench.example',
    objectsUrl: API_BASE_URL,
    contactProofs: createSealer(KEYS).fingerprints,
    webhookSealer: createSealer(KEYS),
    webhooks: { send: unexpected },
    pusher: undefined,
    stopLinks: createStopLinks(KEYS, API_BASE_URL),
    pollSchedules: schedulesAsWanted(db),
    objects: { put: unexpected, delete: unexpected, get: async () => undefined },
    statementKeys: createStatementKeys(KEYS),
    metrics,
    log: createLogger({ level: 'silent', service: 'bench' }),
  };
  return createActivities(deps);
}

/** Schedules that are all there already, so that none is repaired. */
function schedulesAsWanted(db: Db): ActivityDeps['pollSchedules'] {
  let listed: Promise<pollPositions.PolledConnection[]> | undefined;
  return {
    intervals: () => ({ base: 300_000, backup: 300_000 }),
    async ensure() {},
    async pause() {},
    async remove() {},
    async list() {
      listed ??= pollPositions.listPolled(db, { after: null, limit: ALL });
      const note = null;
      return (await listed).map(({ id }) => {
        return { connectionId: id, isPaused: false, note, isCurrent: true, intervalMs: null };
      });
    },
  };
}
