import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CliOptions, ensureTemporalCli } from '../../../sandbox/temporal/cli.ts';
import { useFolder } from '../fixtures.ts';

const RECENT = 'temporal version 1.8.2 (Server 1.31.2, UI 2.50.1)';
const OLD = 'temporal version 1.5.1 (Server 1.29.1, UI 2.40.0)';

const folder = useFolder('temporal-cli-');
let cacheDir = '';
let lines: string[] = [];
/** A PATH without our programs. */
const elsewhere = { PATH: '/usr/bin:/bin' };
const servers: Server[] = [];

beforeEach(() => {
  const name = `1.8.2-${process.platform}-${process.arch}`;
  cacheDir = join(folder.path, 'cache', 'loyalty-temporal', name);
  lines = [];
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Searches only this PATH and a separate cache, without access to the real download. */
async function find(env: NodeJS.ProcessEnv = {}, downloadUrl = 'http://127.0.0.1:1') {
  const options: CliOptions = {
    env: { XDG_CACHE_HOME: join(folder.path, 'cache'), PATH: join(folder.path, 'bin'), ...env },
    downloadUrl,
  };
  return await ensureTemporalCli((line) => lines.push(line), options);
}

/** Creates a program that prints this version. */
function program(name: string, says: string): string {
  mkdirSync(join(folder.path, 'bin'), { recursive: true });
  const path = join(folder.path, 'bin', name);
  writeFileSync(path, `#!/bin/sh\necho '${says}'\n`);
  chmodSync(path, 0o755);
  return path;
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
}

/** Starts a download host that offers this program and records its requests. */
async function host(path: string): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const archive = join(folder.path, 'release.tar.gz');
  execFileSync('tar', ['-czf', archive, '-C', join(path, '..'), 'temporal']);
  const bytes = await readFile(archive);
  const url = await serve((request, response) => {
    asked.push(request.url ?? '');
    const info = { archiveUrl: `${url}/release.tar.gz`, fileToExtract: 'temporal' };
    response.end(request.url === '/release.tar.gz' ? bytes : JSON.stringify(info));
  });
  return { url, asked };
}

test('TEMPORAL_CLI_PATH has priority', async () => {
  const path = program('mine', RECENT);
  program('temporal', RECENT);

  const found = await find({ TEMPORAL_CLI_PATH: path });

  expect(found).toEqual({ path, version: RECENT, source: 'TEMPORAL_CLI_PATH' });
});

test('throws for a wrong TEMPORAL_CLI_PATH instead of ignoring it', async () => {
  await expect(find({ TEMPORAL_CLI_PATH: join(folder.path, 'none') })).rejects.toThrow(
    'does not run',
  );
  await expect(find({ TEMPORAL_CLI_PATH: program('old', OLD) })).rejects.toThrow('1.7.0 or newer');
});

test.each([
  RECENT,
  'temporal version 1.10.0 (Server 1.40.0, UI 3.0.0)',
  'temporal version 0.0.0-DEV (Server 1.31.2, UI 2.50.1)',
])('uses a recent temporal on the PATH: %s', async (version) => {
  const path = program('temporal', version);

  expect(await find()).toEqual({ path, version, source: 'PATH' });
});

test('skips an old temporal on the PATH with a message, and uses the cached one', async () => {
  const old = program('temporal', OLD);
  const { url } = await host(program('temporal', RECENT));
  await find(elsewhere, url);
  writeFileSync(old, `#!/bin/sh\necho '${OLD}'\n`);

  const found = await find();

  expect(found).toMatchObject({ path: join(cacheDir, 'temporal'), source: 'cache' });
  expect(lines.at(-1)).toContain(`${old} is too old`);
});

describe('the download', () => {
  test('requests the build for this machine, and caches the program', async () => {
    const { url, asked } = await host(program('temporal', RECENT));
    const path = join(cacheDir, 'temporal');

    expect(await find(elsewhere, url)).toEqual({ path, version: RECENT, source: 'download' });
    expect(await find(elsewhere, url)).toEqual({ path, version: RECENT, source: 'cache' });

    const arch = process.arch === 'x64' ? 'amd64' : process.arch;
    expect(asked).toEqual([
      `/cli/v1.8.2?arch=${arch}&platform=${process.platform}`,
      '/release.tar.gz',
    ]);
    expect(readdirSync(cacheDir)).toEqual(['temporal']);
  });

  test('happens once for two concurrent searches', async () => {
    const { url, asked } = await host(program('temporal', RECENT));

    const found = await Promise.all([find(elsewhere, url), find(elsewhere, url)]);

    expect(found.map((each) => each.source).sort()).toEqual(['cache', 'download']);
    expect(asked).toHaveLength(2);
    expect(lines.some((line) => line.includes('already fetching or building'))).toBe(true);
  });

  test('replaces a cached program that does not run, and removes leftovers', async () => {
    const { url } = await host(program('temporal', RECENT));
    mkdirSync(join(cacheDir, 'half-0123'), { recursive: true });
    writeFileSync(join(cacheDir, 'half-0123', 'archive'), 'cut off');
    writeFileSync(join(cacheDir, 'temporal'), 'cut off');
    writeFileSync(join(cacheDir, 'installing'), '999999999 1 aa');

    const found = await find(elsewhere, url);

    expect(found.source).toBe('download');
    expect(readdirSync(cacheDir)).toEqual(['temporal']);
  });

  test('is not followed to another protocol, which may be one without TLS', async () => {
    const url = await serve((_, response) => {
      const archiveUrl = url.replace('http:', 'ftp:');
      response.end(JSON.stringify({ archiveUrl, fileToExtract: 'temporal' }));
    });

    await expect(find(elsewhere, url)).rejects.toThrow(/offered at ftp:/);

    expect(readdirSync(cacheDir)).toEqual([]);
  });

  test('leaves nothing when the program does not run here', async () => {
    const broken = program('temporal', '');
    writeFileSync(broken, '#!/no/such/interpreter\n');
    const { url } = await host(broken);

    await expect(find(elsewhere, url)).rejects.toThrow('does not run on this machine');

    expect(readdirSync(cacheDir)).toEqual([]);
  });
});

test('one error names the four options and what was tried when nothing works', async () => {
  const refused = await serve((_, response) => response.writeHead(503).end());

  const error = await find({}, refused).catch((reason: unknown) => String(reason));

  expect(error).toContain('set SANDBOX_TEMPORAL_ADDRESS');
  expect(error).toContain('set TEMPORAL_CLI_PATH');
  expect(error).toContain('temporal.download');
  expect(error).toContain('install Go 1.26.4 or newer');
  expect(error).toMatch(/Tried: download: 127\.0\.0\.1:\d+ .*503/);
  expect(error).toMatch(/Tried: build: Go does not run: .*ENOENT/);
});

test('an old Go has another error than a missing one', async () => {
  program('go', 'go version go1.20.1 linux/amd64');

  await expect(find()).rejects.toThrow('Go 1.20.1 is older than 1.26.4');
});
