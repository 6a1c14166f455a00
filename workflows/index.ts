export { ingestEvents } from './ingest-events.ts';
export { notify } from './notify.ts';
export { reconcile } from './reconcile.ts';
export { redemption } from './redemption.ts';
export { sweepPendingEvents } from './sweep-pending-events.ts';
