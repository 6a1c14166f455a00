import {
  createIngestDispatcher,
  type IngestDispatcher,
} from '../../api/intake/ingest-dispatcher.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import { engineOf } from './engines.ts';
import { Setting } from './job-engine.ts';

/**
 * Opens the dispatcher of our API over another engine, given its setting as JSON. Events gather
 * while flushes are being queued, exactly as they gather for our own runs.
 */
export async function openDispatcher(settingJson: string, log: Logger): Promise<IngestDispatcher> {
  const setting = Setting.parse(JSON.parse(settingJson));
  const enqueue = await engineOf(setting.engine).openQueue(setting);
  return createIngestDispatcher({
    ingest: ({ eventIds }) =>
      enqueue(setting.jobSize === 'event' ? eventIds.map((id) => [id]) : [eventIds]),
    isAsking: async () => false,
    log,
  });
}
