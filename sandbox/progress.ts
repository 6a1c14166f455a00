/** Prints each step with its result and duration, one line each. */
export type Progress = {
  step<T>(what: string, work: () => Promise<T>, done: (result: T) => string): Promise<T>;
  note(line: string): void;
};

/** Creates a progress that writes to a stream; `clock` returns milliseconds. */
export function createProgress(
  write: (text: string) => void,
  clock: () => number = () => performance.now(),
): Progress {
  return {
    async step(what, work, done) {
      const started = clock();
      const result = await work();
      const seconds = ((clock() - started) / 1000).toFixed(1);
      write(`  ${what.padEnd(18)} ${done(result)} (${seconds} s)\n`);
      return result;
    },
    note: (line) => write(`  ${''.padEnd(18)} ${line}\n`),
  };
}
