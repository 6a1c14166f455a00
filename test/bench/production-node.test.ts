import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { heapLimits, NODE_VERSION, productionNode } from '../../bench/production-node.ts';
import { CONTAINERS } from '../../bench/programs.ts';

let folder: string;
let lines: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'production-node-'));
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Finds a Node while the only npm on the PATH is this shell script. */
function findWith(npm: string, isRecent = false) {
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 });
  const env = { PATH: `${folder}:/usr/bin:/bin`, XDG_CACHE_HOME: join(folder, 'cache') };
  return productionNode((line) => lines.push(line), { env, isRecent });
}

/** Installs a program that says it is this release, as npm installs Node. */
const installing = (version: string) => `
  echo installed >> "${folder}/installs"
  bin="$(pwd)/node_modules/node-${process.platform}-${process.arch}/bin"
  mkdir -p "$bin"
  printf '#!/bin/sh\\necho v${version}\\n' > "$bin/node"`;

describe('heapLimits', () => {
  it('are those of the containers', () => {
    const text = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
    const [ofNewObjects, ...rest] = heapLimits(CONTAINERS.api);
    expect(text('Dockerfile')).toContain(`ENV NODE_OPTIONS=${ofNewObjects}\n`);
    expect(rest).toEqual(['--max-old-space-size=256']);
    for (const [name, mib] of Object.entries(CONTAINERS)) {
      const [, limit] =
        new RegExp(`^x-${name}:[^]*?mem_limit: (\\d+)m`, 'm').exec(text('docker-compose.yml')) ??
        [];
      expect(Number(limit), name).toBe(mib);
    }
  });

  it.each(Object.entries(CONTAINERS))('leave the %s room for what is beside the heap', (_, mib) => {
    const [ofNewObjects = 0, others = 0] = heapLimits(mib).map((limit) =>
      Number(/=(\d+)$/.exec(limit)?.[1]),
    );
    // Three of them for new objects; compiled code, buffers and the libraries are beside the heap.
    expect(mib - others - 3 * ofNewObjects).toBeGreaterThanOrEqual(160);
  });
});

describe('productionNode', () => {
  it('the release that the image runs', () => {
    const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
    const releases = [...dockerfile.matchAll(/^FROM node:([\d.]+)/gm)].map(
      ([, release]) => release,
    );
    expect(releases.length).toBeGreaterThan(1);
    expect(new Set(releases)).toEqual(new Set([NODE_VERSION]));
  });

  it('this Node when it runs TypeScript itself', async () => {
    expect(await findWith('exit 1', true)).toEqual({ path: process.execPath, args: [] });
  });

  it('the release from the registry, installed once, without a loader', async () => {
    const { path, args } = await findWith(installing(NODE_VERSION));
    expect(args).toEqual([]);
    expect((await findWith(installing(NODE_VERSION))).path).toBe(path);
    expect(readFileSync(join(folder, 'installs'), 'utf8')).toBe('installed\n');
    expect(readdirSync(join(folder, 'cache/loyalty-node'))).toHaveLength(1);
  });

  it.each([
    { npm: 'echo no such package >&2; exit 1', because: 'no such package' },
    { npm: 'exit 0', because: 'no such file' },
  ])('this Node with the loader, and says why: $because', async ({ npm, because }) => {
    const loader = ['--import', 'tsx'];
    expect(await findWith(npm)).toEqual({ path: process.execPath, args: loader });
    expect(lines.join('\n')).toContain(because);
    expect(lines.join('\n')).toContain('with a loader');
    expect(readdirSync(join(folder, 'cache/loyalty-node'))).toEqual([]);
  });

  it('no other release than this one', async () => {
    await findWith(installing('23.0.0'));
    expect(lines.join('\n')).toContain('contains v23.0.0');
  });
});
