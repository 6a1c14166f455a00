import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestOptions } from 'vitest';
import { needsWhatIsMissing } from '../support/needs.ts';

// Other people's servers, fetched once by their ordinary clients and kept in the user's cache.

const KEYCLOAK = {
  version: '26.7.3',
  sha256: '77657f30b7e90d70f727712ce1c967f430fd6a5e9f458d32d8c6df0635345f47',
};
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy';
const OLDEST_JAVA = 17;
/** Pinned by the checksum database of Go. */
const VERSITYGW = { version: 'v1.8.0', package: 'github.com/versity/versitygw/cmd/versitygw' };

const execute = promisify(execFile);

/** A program that is here, or why it is not. */
export type Found = { path: string } | { missing: string };

/** Options of a `describe` that needs it. */
export function ifThere(found: Found): TestOptions {
  return 'missing' in found ? needsWhatIsMissing(found.missing) : {};
}

/** Finds or fetches Keycloak. Needs Java, and Maven the first time. */
export async function ensureKeycloak(): Promise<Found> {
  const java = await execute('java', ['-version']).catch(() => undefined);
  const version = Number(/version "(\d+)/.exec(java?.stderr ?? '')?.[1] ?? 0);
  if (version < OLDEST_JAVA) return { missing: `Java ${OLDEST_JAVA} or newer, for Keycloak` };
  return await kept(`keycloak-${KEYCLOAK.version}`, 'bin/kc.sh', async (folder) => {
    const artifact = `org.keycloak:keycloak-quarkus-dist:${KEYCLOAK.version}:tar.gz`;
    const options = [`-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`];
    await execute('mvn', ['-q', '-B', COPY, ...options]);
    const archive = join(folder, `keycloak-quarkus-dist-${KEYCLOAK.version}.tar.gz`);
    const sha256 = createHash('sha256')
      .update(await readFile(archive))
      .digest('hex');
    if (sha256 !== KEYCLOAK.sha256) throw new Error(`${artifact} has the SHA-256 ${sha256}`);
    await execute('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
    await rm(archive);
  });
}

/** Finds or builds versitygw, which serves a folder as S3. Needs Go the first time. */
export async function ensureVersitygw(): Promise<Found> {
  return await kept(`versitygw-${VERSITYGW.version}`, 'versitygw', async (folder) => {
    const source = `${VERSITYGW.package}@${VERSITYGW.version}`;
    await execute('go', ['install', source], { env: { ...process.env, GOBIN: folder } });
  });
}

const PGBOUNCER = {
  version: '1.24.1',
  address: 'http://deb.debian.org/debian/pool/main/p/pgbouncer/pgbouncer_1.24.1.orig.tar.gz',
  sha256: 'da72a3aba13072876d055a3e58dd4aba4a5de4ed6148e73033185245598fd3e0',
};
const FOR_PGBOUNCER =
  'PgBouncer 1.21 or newer, in PATH or as PGBOUNCER, or what it is built with: ' +
  'apt-get install gcc make pkg-config libevent-dev libssl-dev';

/**
 * Finds PgBouncer, which keeps named statements from version 1.21 on, or builds it from its source
 * as Debian distributes it.
 */
export async function ensurePgBouncer(): Promise<Found> {
  const path = process.env.PGBOUNCER || 'pgbouncer';
  const answer = await execute(path, ['--version']).catch(() => undefined);
  const [, major = 0, minor = 0] = /PgBouncer (\d+)\.(\d+)/.exec(answer?.stdout ?? '') ?? [];
  if (Number(major) > 1 || Number(minor) >= 21) return { path };
  const { version, address, sha256 } = PGBOUNCER;
  const built = await kept(`pgbouncer-${version}`, 'pgbouncer', async (folder) => {
    const archive = join(folder, 'source.tar.gz');
    const bytes = Buffer.from(await (await fetch(address)).arrayBuffer());
    const found = createHash('sha256').update(bytes).digest('hex');
    if (found !== sha256) throw new Error(`${address} has the SHA-256 ${found}`);
    await writeFile(archive, bytes);
    await execute('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
    const options = ['--without-cares', '--without-systemd', '--quiet'];
    await execute('./configure', options, { cwd: folder });
    await execute('make', ['-s', 'pgbouncer'], { cwd: folder });
  });
  return 'path' in built ? built : { missing: `${FOR_PGBOUNCER}; ${built.missing}` };
}

/**
 * Finds or installs a program of Python, whose packages `<program>-requirements.txt` lists: the
 * Python that has it. Needs Python 3.10 and PyPI once.
 */
export async function ensurePython(
  program: 'schemathesis' | 'openapi-python-client',
): Promise<Found> {
  const python = await execute('python3', ['--version']).catch(() => undefined);
  const [, minor = 0] = /Python 3\.(\d+)/.exec(python?.stdout ?? '') ?? [];
  if (Number(minor) < 10) return { missing: `Python 3.10 or newer, as python3, for ${program}` };
  const requirements = fileURLToPath(new URL(`${program}-requirements.txt`, import.meta.url));
  const name = `${program}-${await digestOf(requirements)}`;
  return await kept(name, 'bin/python', async (folder) => {
    await execute('python3', ['-m', 'venv', folder]);
    const options = ['--quiet', '--disable-pip-version-check'];
    const install = ['-m', 'pip', 'install', ...options, '-r', requirements];
    await execute(join(folder, 'bin/python'), install);
  });
}

const READERS = fileURLToPath(new URL('readers/', import.meta.url));

/** Finds or installs linters and generators of OpenAPI documents: the folder of their programs. */
export async function ensureReaders(): Promise<Found> {
  const lock = join(READERS, 'package-lock.json');
  const programs = 'node_modules/.bin';
  return await kept(`readers-${await digestOf(lock)}`, programs, async (folder) => {
    for (const file of ['package.json', 'package-lock.json']) {
      await copyFile(join(READERS, file), join(folder, file));
    }
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    // Unlike `npm ci`, this accepts a lock file without the optional packages of other systems.
    await execute('npm', ['install', '--no-save', ...options], { cwd: folder });
  });
}

async function digestOf(file: string): Promise<string> {
  const digest = createHash('sha256').update(await readFile(file));
  return digest.digest('hex').slice(0, 12);
}

/** Makes a folder in the cache, completely or not at all, and returns the program in it. */
async function kept(
  name: string,
  program: string,
  make: (folder: string) => Promise<void>,
): Promise<Found> {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'loyalty-foreign', name);
  const path = join(folder, program);
  if (existsSync(path)) return { path };
  const unfinished = `${folder}.${randomBytes(4).toString('hex')}`;
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(unfinished);
  try {
    process.stderr.write(`Fetching ${name} (some minutes, once)\n`);
    await make(unfinished);
    await rename(unfinished, folder);
    return { path };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another run may have been quicker.
    if (existsSync(path)) return { path };
    return { missing: `${name}, which cannot be fetched: ${String(error).split('\n')[0]}` };
  }
}
