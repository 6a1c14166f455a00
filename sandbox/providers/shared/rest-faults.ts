import { z } from 'zod';
import { ApiError } from './refusal.ts';

/** What the API is to answer instead of the truth, at the path and below it, so many times. */
export const RestFault = z.object({
  path: z.string().startsWith('/'),
  status: z.int().min(400).max(599),
  code: z.string().min(1),
  times: z.int().min(1).default(1),
  retryAfterSeconds: z.int().min(0).optional(),
});
export type RestFault = z.input<typeof RestFault>;

/** Failures that were ordered and have not happened yet. They do not outlive the process. */
export class RestFaults {
  #pending: z.output<typeof RestFault>[] = [];

  /** Orders a failure; the earliest order that fits a request is used up first. */
  order(failure: RestFault): void {
    this.#pending.push(RestFault.parse(failure));
  }

  /** The error that a request to the path is to be answered with, used up by asking. */
  take(path: string): ApiError | undefined {
    const hit = this.#pending.find((failure) => isAtOrBelow(path, failure.path));
    if (hit === undefined) return undefined;
    hit.times -= 1;
    this.#pending = this.#pending.filter(({ times }) => times > 0);
    const { status, code, retryAfterSeconds } = hit;
    return new ApiError(status, code, 'This failure was ordered.', { retryAfterSeconds });
  }
}

function isAtOrBelow(path: string, base: string): boolean {
  return path === base || path.startsWith(base.endsWith('/') ? base : `${base}/`);
}
