import { runOps } from '../../ops/run.ts';
import { runVerify } from '../../ops/verify-ledger.ts';

/** Runs an operators' command in this process, which costs a hundredth of a process of its own. */
export const runOpsHere = (args: string[], env?: NodeJS.ProcessEnv) => runHere(runOps, args, env);

/** Runs a verification of the ledger in this process. */
export const runVerifyHere = (args: string[], env: NodeJS.ProcessEnv) =>
  runHere(runVerify, args, env);

async function runHere(
  run: typeof runOps,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ status: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const status = await run(args, {
    // The databases of tests are of an installation of their own.
    env: { NODE_ENV: 'test', ...env },
    async write(text) {
      out += text;
    },
    complain(text) {
      err += text;
    },
  });
  return { status, out, err };
}
