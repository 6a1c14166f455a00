export { ingestEvents } from './ingest-events.ts';
export { sweepPendingEvents } from './sweep-pending-events.ts';
