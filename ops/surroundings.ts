import { once } from 'node:events';

/** What a command line has around it. */
export type Surroundings = {
  /** By default this process's own. */
  env?: NodeJS.ProcessEnv;
  /** Writes to the standard output and waits until it has drained. */
  write(text: string): Promise<void>;
  /** Writes to the standard error. */
  complain(text: string): void;
};

/** The environment and the output of this process. */
export const here: Surroundings = {
  async write(text) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  },
  complain: (text) => void process.stderr.write(text),
};
