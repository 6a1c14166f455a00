import { join } from 'node:path';
import type { ServerProcess, StopSteps } from '../../sandbox/processes/processes.ts';
import type { startService } from '../../sandbox/processes/service.ts';

/** A process of the deployment, which keeps its address when it is restarted. */
export type Member = {
  name: string;
  /** Starts it unless it is running, and waits until it is ready. */
  start(): Promise<void>;
  /** Stops it gracefully, as an operator would, and waits until it has exited. */
  stop(): Promise<void>;
  /** Kills it, as a crash would. */
  kill(): Promise<void>;
  /** Returns its process id; throws while it is not running. */
  pid(): number;
  /** Returns why it exited unexpectedly; undefined if it did not. */
  fault(): string | undefined;
};

// Longer than the service takes: 5 s in which it is drained, and its grace period.
const STOP: StopSteps = [
  { signal: 'SIGTERM', waitMs: 60_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];
const KILL: StopSteps = [{ signal: 'SIGKILL', waitMs: 5_000 }];

/** Creates a member that is not running yet; `launch` resolves once the process is ready. */
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
      if (running === undefined) throw new Error(`${name} is not running`);
      return running.pid;
    },
    fault: () => fault,
  };
}

/** Where the processes of a release keep their files, their settings, and what starts them. */
export type Release = {
  folder: string;
  env: NodeJS.ProcessEnv;
  startService: typeof startService;
};

/** Creates an API of a release at the port, or a worker, which is not running yet. */
export function serviceMember({ startService, ...at }: Release, name: string, port?: number) {
  const env = { ...at.env, ...(port !== undefined && { PORT: String(port) }) };
  const service = port === undefined ? 'worker' : 'api';
  return createMember(name, () => startService({ service, dir: join(at.folder, name), env }));
}
