import type { Progress } from './progress.ts';

export type StartOptions = {
  dir: string;
  fresh: boolean;
  progress: Progress;
  /**
   * Called with each part once it runs, and with the function that stops it. The sandbox ends when
   * a process of its own ends without having been stopped.
   */
  onStarted: (
    what: string,
    close: () => Promise<void>,
    ownProcess?: { exited: Promise<string>; logFile: string },
  ) => void;
};
