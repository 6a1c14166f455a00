import type { Progress } from './progress.ts';

export type StartOptions = {
  dir: string;
  fresh: boolean;
  progress: Progress;
  /** Called with each part once it runs, and with the function that stops it. */
  onStarted: (what: string, close: () => Promise<void>) => void;
  /** Called when a part ends without having been stopped. */
  onExit: (what: string, reason: string) => void;
};
