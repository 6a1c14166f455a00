import type { ServerProcess, StopSteps } from '../../sandbox/processes/processes.ts';

/** A process of the deployment, which is stopped and started again under the same address. */
export type Member = {
  name: string;
  /** Resolves once it is ready; does nothing while it runs. */
  start(): Promise<void>;
  /** Tells it to stop, as an operator would, and resolves when it is gone. */
  stop(): Promise<void>;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Its number; throws while it does not run. */
  pid(): number;
  /** Why it ended although nobody asked it to; undefined when it did not. */
  fault(): string | undefined;
};

// Longer than the grace period of the service and its 5 s of notice.
const STOP: StopSteps = [
  { signal: 'SIGTERM', waitMs: 60_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];
const KILL: StopSteps = [{ signal: 'SIGKILL', waitMs: 5_000 }];

/** A member that does not run yet; `launch` resolves once the process is ready. */
export function createMember(name: string, launch: () => Promise<ServerProcess>): Member {
  let running: ServerProcess | undefined;
  let fault: string | undefined;
  const end = async (steps: StopSteps) => {
    const ending = running;
    running = undefined;
    await ending?.stop(steps);
  };
  return {
    name,
    async start() {
      if (running !== undefined) return;
      const started = await launch();
      running = started;
      void started.exited.then((reason) => {
        if (running === started) fault = `${name}: ${reason}\n${started.logTail()}`;
      });
    },
    stop: () => end(STOP),
    kill: () => end(KILL),
    pid() {
      if (running === undefined) throw new Error(`${name} does not run`);
      return running.pid;
    },
    fault: () => fault,
  };
}
