import { runOps } from '../../ops/run.ts';

/** Runs an operators' command in this process, which costs a hundredth of a process of its own. */
export async function runOpsHere(
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ status: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const status = await runOps(args, {
    env,
    async write(text) {
      out += text;
    },
    complain(text) {
      err += text;
    },
  });
  return { status, out, err };
}
