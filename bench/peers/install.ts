import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const FOLDER = new URL('./', import.meta.url);
const OUTPUT_CHARACTERS = 300;
const Manifest = z.object({
  version: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
});

/**
 * Installs the libraries of the peers into a folder of their own, which git ignores, unless they
 * are there in the versions of `package.json`. Returns why they could not be, if so.
 */
export async function installPeers(log: (line: string) => void): Promise<string | undefined> {
  if (await isInstalled()) return undefined;
  log('Installing the peers into bench/peers/node_modules');
  // Unlike `npm ci`, this accepts a lock file without the optional packages of other systems.
  const child = spawn('npm', ['install', '--no-save', '--loglevel=error'], {
    cwd: FOLDER,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const failure = await once(child, 'close').then(
    ([code]) => (code === 0 ? undefined : output),
    (error) => String(error),
  );
  if (failure === undefined) return undefined;
  const reason = failure.replace(/\s+/g, ' ').slice(0, OUTPUT_CHARACTERS);
  return `npm install failed in bench/peers: ${reason}`;
}

/** Whether every library is there in its version. */
async function isInstalled(): Promise<boolean> {
  const wanted = await manifestOf('package.json');
  const found = await Promise.all(
    Object.entries(wanted?.dependencies ?? {}).map(async ([name, version]) => {
      const manifest = await manifestOf(`node_modules/${name}/package.json`);
      return manifest?.version === version;
    }),
  );
  return found.every(Boolean);
}

async function manifestOf(path: string): Promise<z.infer<typeof Manifest> | undefined> {
  const text = await readFile(new URL(path, FOLDER), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Manifest.parse(JSON.parse(text));
}
