import { ingestEventBatch } from '../../activities/ingestion/events/ingest-events.ts';
import { connect } from '../../db/connection.ts';
import { ingestPolicy } from '../settings.ts';
import { engineOf } from './engines.ts';
import { EVENTS_AT_ONCE, Setting } from './job-engine.ts';

// The worker process of a peer: the same ingestion as our worker's, called by the peer's jobs.

const [settingJson = ''] = process.argv.slice(2);
const setting = Setting.parse(JSON.parse(settingJson));
const db = connect(setting.databaseUrl, 2 * EVENTS_AT_ONCE, 'bench-peer');
const stop = await engineOf(setting.engine).openWorker(
  setting,
  async (ids) => void (await ingestEventBatch(db, ids, new Map(), ingestPolicy)),
);

process.once('SIGTERM', () => void stop().then(() => process.exit()));
process.once('disconnect', () => process.exit());
process.send?.('ready');
