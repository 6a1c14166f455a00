/** How often a process does what streams need. */
export type StreamTiming = {
  /** Announcements may be lost, so all streams are read again this often. */
  rereadEveryMs: number;
  /** Whose access has ended is found this often. */
  checkEveryMs: number;
  /** Proxies close connections that are silent, most of them after 60 s. */
  keepAliveAfterMs: number;
  tickMs: number;
};

/** Streams that end together, with a process, come back one after another. */
const RETRY_MS = { least: 1_000, spread: 4_000 };

/** How long a client should wait before it connects again. */
export function retryMs(): number {
  return Math.round(RETRY_MS.least + Math.random() * RETRY_MS.spread);
}

/** What holds unless a test is in a hurry. */
export const TIMING: StreamTiming = {
  rereadEveryMs: 30_000,
  checkEveryMs: 30_000,
  keepAliveAfterMs: 20_000,
  tickMs: 1_000,
};
