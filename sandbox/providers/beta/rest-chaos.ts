import type { ChaosDial } from '../shared/chaos.ts';
import { REAL_LIMITS, tooMany } from './limits.ts';
import { BetaError } from './refusal.ts';

const SERVER_ERRORS = [500, 502, 503, 504] as const;

/** Draws whether the request fails with a 5xx or 429; undefined when it does not. */
export function drawRefusal(dial: ChaosDial, method: string, path: string): BetaError | undefined {
  const about = `${method} ${path}`;
  if (dial.hits('serverError', about)) {
    const drawn = Math.floor(dial.draw('which error', about) * SERVER_ERRORS.length);
    return new BetaError(SERVER_ERRORS[drawn] ?? SERVER_ERRORS[0]);
  }
  if (!dial.hits('tooMany', about)) return undefined;
  const { perSecondOverall, concurrentOverall, retryAfterSeconds } = REAL_LIMITS;
  return dial.draw('which limit', about) < 0.5
    ? tooMany('crossTokenLimit', perSecondOverall)
    : tooMany('crossTokenConcurrentLimit', concurrentOverall, retryAfterSeconds);
}
