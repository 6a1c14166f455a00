import { z } from 'zod';

/** An error response at a path and below it, for the next `times` requests. */
export const RestFault = z.object({
  path: z.string().startsWith('/'),
  status: z.int().min(400).max(599),
  times: z.int().min(1).default(1),
  retryAfterSeconds: z.int().min(0).optional(),
});
export type RestFault = z.input<typeof RestFault>;
type Scheduled = z.output<typeof RestFault>;

/** Scheduled faults that have not happened yet, in memory only. */
export class RestFaults<Fault extends Scheduled = Scheduled> {
  #pending: Fault[] = [];

  /** Schedules a fault; of several that match a request, the oldest is used first. */
  schedule(fault: Fault): void {
    this.#pending.push({ ...fault });
  }

  /** Uses up and returns the fault for a request to the path; undefined when there is none. */
  take(path: string): Fault | undefined {
    const hit = this.#pending.find((fault) => isAtOrBelow(path, fault.path));
    if (hit === undefined) return undefined;
    hit.times -= 1;
    this.#pending = this.#pending.filter(({ times }) => times > 0);
    return hit;
  }
}

function isAtOrBelow(path: string, base: string): boolean {
  return path === base || path.startsWith(base.endsWith('/') ? base : `${base}/`);
}
