import type { ChaosDial } from '../shared/chaos.ts';
import { AlphaError } from './refusal.ts';

const SERVER_ERRORS = [
  [500, 'INTERNAL_SERVER_ERROR'],
  [502, 'BAD_GATEWAY'],
  [503, 'SERVICE_UNAVAILABLE'],
  [504, 'GATEWAY_TIMEOUT'],
] as const;

/** Draws whether the request fails with a 429 or 5xx; undefined when it does not. */
export function drawRefusal(dial: ChaosDial, method: string, path: string): AlphaError | undefined {
  const about = `${method} ${path}`;
  if (dial.hits('tooMany', about)) {
    const code = path.startsWith('/oauth2/') ? 'TOO_MANY_REQUESTS' : 'RATE_LIMITED';
    const namesWait = dial.draw('retryAfter', about) < 0.5;
    return new AlphaError(429, code, 'Too many requests.', {
      retryAfterSeconds: namesWait ? 1 : undefined,
    });
  }
  if (!dial.hits('serverError', about)) return undefined;
  const drawn = Math.floor(dial.draw('whichError', about) * SERVER_ERRORS.length);
  const [status, code] = SERVER_ERRORS[drawn] ?? SERVER_ERRORS[0];
  return new AlphaError(status, code, 'Something went wrong.');
}
