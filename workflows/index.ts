export { exchangeOAuthCode } from './exchange-oauth-code.ts';
export { ingestEvents } from './ingest-events.ts';
export { notify } from './notify.ts';
export { pollConnection } from './poll-connection.ts';
export { reconcile } from './reconcile.ts';
export { redemption } from './redemption.ts';
export { sweepPendingEvents } from './sweep-pending-events.ts';
export { verifyLedger } from './verify-ledger.ts';
