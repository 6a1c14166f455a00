import type { FeedName } from '../../gateways/telemetry/metrics-streams.ts';
import { HttpRefusal, unavailable } from '../http/replies/errors.ts';

const MAX_OF_USER = 10;
/** Each takes some ten kilobytes, and a connection beside those of other requests. */
const MAX_STREAMS = 5_000;
/** Whoever likes can be a consumer, but not the operator of a shop's till. */
const KEPT_FOR_TILLS = 500;
const RETRY_AFTER_SECONDS = 10;

/** Throws RATE_LIMITED beyond ten streams of a user, and 503 where the process has no room left. */
export function requireRoom(open: { ofUser: number; ofAll: number }, feed: FeedName): void {
  if (open.ofUser >= MAX_OF_USER) {
    throw new HttpRefusal(
      'RATE_LIMITED',
      `You have ${MAX_OF_USER} streams open. Close one, or use one for all your screens.`,
      429,
      { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
    );
  }
  const most = feed === 'shop' ? MAX_STREAMS : MAX_STREAMS - KEPT_FOR_TILLS;
  if (open.ofAll >= most) throw unavailable('Too many streams are open. Connect again shortly.');
}
