import { type ChildProcess, execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export type Ended = { status: unknown; stdout: string; stderr: string };

/** Runs a main file of this project, with nothing of this environment but the path of programs. */
export function runMain(
  main: string,
  variables: NodeJS.ProcessEnv,
  options: readonly string[] = [],
): { kill(signal: NodeJS.Signals): void; ended: Promise<Ended> } {
  let child: ChildProcess | undefined;
  const ended = new Promise<Ended>((resolve) => {
    const args = ['--import', './typescript.js', main, ...options];
    const env = { PATH: process.env.PATH, ...variables };
    child = execFile(process.execPath, args, { cwd: ROOT, env }, (error, stdout, stderr) =>
      resolve({ status: error?.code ?? 0, stdout, stderr }),
    );
  });
  return { kill: (signal) => void child?.kill(signal), ended };
}
