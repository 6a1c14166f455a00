import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compileCache, productionNode } from './production-node.ts';

// Runs the benchmark on the Node that production runs. All of its processes run as it does.

const { path, args } = await productionNode((line) => process.stderr.write(`${line}\n`));
const main = fileURLToPath(new URL('./main.ts', import.meta.url));
const child = spawn(path, [...args, main, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, NODE_COMPILE_CACHE: compileCache() },
});

// Ctrl-C reaches both. The benchmark then stops its processes, and this one waits for it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => child.kill('SIGTERM'));
}
child.once('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
