import { setTimeout as sleep } from 'node:timers/promises';
import { ingestEventBatch } from '../activities/ingestion/ingest-events.ts';
import { connect } from '../db/connection.ts';
import type { EventId } from '../domain/ids.ts';
import { credit } from './settings.ts';

// The same crediting as the worker's, called by a loop over the table instead of an engine: what
// crediting costs when nothing can be retried, seen, or outlive its process.

const BATCH = 500;
const IDLE_MS = 2;

const [databaseUrl = ''] = process.argv.slice(2);
const db = connect(databaseUrl, 2, 'bench-loop');

async function creditEvents(ids: EventId[]): Promise<void> {
  await ingestEventBatch(db, ids, new Map(), credit);
}

let isRunning = false;

/** `start` and `stop`, so that it costs nothing while something else is measured. */
process.on('message', (message) => {
  if (message === 'start' && !isRunning) void run();
  if (message === 'stop') isRunning = false;
});
process.once('disconnect', () => process.exit());

async function run(): Promise<void> {
  isRunning = true;
  while (isRunning) {
    const rows = await db('webhook_events')
      .where('processed', false)
      .orderBy('nextAttemptAt')
      .limit(BATCH)
      .select<{ id: EventId }[]>('id');
    if (rows.length === 0) await sleep(IDLE_MS);
    else await creditEvents(rows.map((row) => row.id));
  }
}
