import { setTimeout as sleep } from 'node:timers/promises';
import { ingestEventBatch } from '../activities/ingestion/events/ingest-events.ts';
import { connect } from '../db/connection.ts';
import type { EventId } from '../domain/ids.ts';
import { ingestPolicy } from './settings.ts';

// The same ingestion as the worker's, called by a loop that polls the table instead of by Temporal:
// what ingestion costs without retries, visibility, and durability beyond the process.

const BATCH = 500;
const IDLE_MS = 2;

const [databaseUrl = ''] = process.argv.slice(2);
const db = connect(databaseUrl, 2, 'bench-loop');

let isRunning = false;

/** Takes `start` and `stop`, so that it costs nothing while another variant is measured. */
process.on('message', (message) => {
  if (message === 'start' && !isRunning) void run();
  if (message === 'stop') isRunning = false;
});
process.once('disconnect', () => process.exit());

async function run(): Promise<void> {
  isRunning = true;
  while (isRunning) {
    const rows = await db('pending_events')
      .orderBy('nextAttemptAt')
      .limit(BATCH)
      .select<{ id: EventId }[]>('id');
    const ids = rows.map((row) => row.id);
    if (ids.length === 0) await sleep(IDLE_MS);
    else await ingestEventBatch(db, ids, new Map(), ingestPolicy);
  }
}
