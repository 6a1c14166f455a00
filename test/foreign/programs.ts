import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestOptions } from 'vitest';
import { userCache } from '../../sandbox/processes/user-cache.ts';
import { isAtLeast, versionOf } from '../../sandbox/processes/versions.ts';
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

const FOR_PGBOUNCER =
  'PgBouncer 1.21 or newer, in PATH or as PGBOUNCER, or what it is built with: a source of it ' +
  '(deb-src), and apt-get install dpkg-dev gcc make pkg-config libevent-dev libssl-dev';

/**
 * Finds PgBouncer, which keeps named statements from version 1.21 on, or builds it from its source
 * as Debian distributes it.
 */
export async function ensurePgBouncer(): Promise<Found> {
  const path = process.env.PGBOUNCER || 'pgbouncer';
  const answer = await versionOf(path);
  if (keepsStatements(/PgBouncer (\d+\.\d+)/.exec(answer ?? ''))) return { path };
  const built = await kept('pgbouncer', 'pgbouncer', async (folder) => {
    await execute('apt-get', ['source', 'pgbouncer'], { cwd: folder });
    const source = (await readdir(folder)).find((name) =>
      keepsStatements(/^pgbouncer-(\d+\.\d+)[.\d]*$/.exec(name)),
    );
    if (source === undefined) throw new Error('the source that apt has is older');
    const cwd = join(folder, source);
    await execute('./configure', ['--without-cares', '--without-systemd', '--quiet'], { cwd });
    await execute('make', ['-s', 'pgbouncer'], { cwd });
    await rename(join(cwd, 'pgbouncer'), join(folder, 'pgbouncer'));
  });
  return 'path' in built ? built : { missing: `${FOR_PGBOUNCER}; ${built.missing}` };
}

const keepsStatements = (found: RegExpExecArray | null) => isAtLeast(found?.[1] ?? '0', '1.21');

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

const BARMAN = fileURLToPath(new URL('../../deploy/backup/requirements.txt', import.meta.url));
/** In the image it is Debian's. */
const PSYCOPG = 'psycopg2-binary==2.9.13';

/** Finds or installs what the image of the backups has of Python: the folder of its programs. */
export async function ensureBarman(): Promise<Found> {
  return await kept(`barman-${await digestOf(BARMAN)}`, 'bin', async (folder) => {
    await execute('python3', ['-m', 'venv', folder]);
    const options = ['--quiet', '--disable-pip-version-check', '--no-deps'];
    const install = ['-m', 'pip', 'install', ...options, '-r', BARMAN, PSYCOPG];
    await execute(join(folder, 'bin/python'), install);
    // They name the Python of this folder, which is renamed.
    for (const name of await readdir(join(folder, 'bin'))) {
      if (!name.startsWith('barman-')) continue;
      const program = await readFile(join(folder, 'bin', name), 'utf8');
      await writeFile(join(folder, 'bin', name), program.replace(/^#!.*/, '#!/usr/bin/env python'));
    }
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
  const folder = join(userCache(), 'loyalty-foreign', name);
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
