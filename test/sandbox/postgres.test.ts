import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createDatabase,
  dropDatabase,
  type Postgres,
  type PostgresOptions,
  startPostgres,
} from '../../sandbox/postgres.ts';
import { startedAt } from '../../sandbox/processes.ts';

const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
const isRoot = process.getuid?.() === 0;

let folder = '';
let dataDir = '';
const servers: Postgres[] = [];
const children: ChildProcess[] = [];

beforeEach(async () => {
  // Of mode 0700, so that every test here also runs below a closed folder.
  folder = await mkdtemp(join(tmpdir(), 'postgres-'));
  dataDir = join(folder, 'data');
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const server of servers.splice(0)) await server.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 20 });
});

async function start(options: Partial<PostgresOptions> = {}): Promise<Postgres> {
  const server = await startPostgres({ dataDir, settings: FAST, ...options });
  servers.push(server);
  return server;
}

async function query(server: Postgres, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A process of its own that starts the server, says its number, and then does as it is told. */
function startElsewhere(env = process.env, then = 'setInterval(() => {}, 1000)'): ChildProcess {
  const launcher = new URL('../../sandbox/postgres.ts', import.meta.url).href;
  const code = `
    const { startPostgres } = await import(${JSON.stringify(launcher)});
    const server = await startPostgres(${JSON.stringify({ dataDir, settings: FAST })});
    console.log(JSON.stringify({ pid: server.pid, url: server.url('postgres') }));
    ${then};`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', code];
  const child = spawn(process.execPath, args, {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  children.push(child);
  return child;
}

async function firstLine(child: ChildProcess): Promise<{ pid: number; url: string }> {
  for await (const chunk of child.stdout ?? []) return JSON.parse(String(chunk));
  throw new Error('the launcher ended without a word');
}

describe('an ordinary life', () => {
  test('what was written is there after a restart', async () => {
    const first = await start();
    await query(first, 'create table sale as select 42 as points');
    await first.stop();
    expect(startedAt(first.pid)).toBeUndefined();

    const second = await start();

    expect(second.recovered).toBe(false);
    expect(await query(second, 'select points from sale')).toEqual([{ points: 42 }]);
  });

  test('it takes the settings, speaks UTF-8 and listens at 127.0.0.1 only', async () => {
    const server = await start({ settings: { ...FAST, max_connections: '17' } });

    const show = `select current_setting('fsync') as fsync,
      current_setting('max_connections') as connections, current_setting('timezone') as timezone,
      current_setting('server_encoding') as encoding, current_setting('listen_addresses') as host,
      upper('é') as upper`;

    expect(await query(server, show)).toEqual([
      {
        fsync: 'off',
        connections: '17',
        timezone: 'UTC',
        encoding: 'UTF8',
        host: '127.0.0.1',
        upper: 'É',
      },
    ]);
  });

  test('writes are synchronised to the disk unless asked otherwise', async () => {
    const server = await startPostgres({ dataDir });
    servers.push(server);

    const safe = `select name, setting from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name`;

    expect(await query(server, safe)).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'synchronous_commit', setting: 'on' },
    ]);
  });

  test('nobody gets in without the password', async () => {
    const server = await start();
    const url = new URL(server.url('postgres'));
    url.password = 'guessed';

    const client = new Client({ connectionString: url.href });

    await expect(client.connect()).rejects.toThrow('password authentication failed');
  });

  test('a database is copied from its template and dropped under its users', async () => {
    const server = await start();
    await createDatabase(server, 'template "one"');
    const template = new Client({ connectionString: server.url('template "one"') });
    await template.connect();
    await template.query('create table sale as select 7 as points');
    await template.end();

    await Promise.all(['a', 'b'].map((name) => createDatabase(server, name, 'template "one"')));

    const user = new Client({ connectionString: server.url('a') });
    user.on('error', () => {});
    await user.connect();
    expect((await user.query('select points from sale')).rows).toEqual([{ points: 7 }]);
    await dropDatabase(server, 'a');
    await dropDatabase(server, 'a');
    expect(
      await query(server, `select datname from pg_database where datname in ('a', 'b')`),
    ).toEqual([{ datname: 'b' }]);
  });

  test('a busy port is left to whoever has it', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const busy = address !== null && typeof address === 'object' ? address.port : 0;

    const server = await start({ preferredPort: busy });

    expect(server.port).not.toBe(busy);
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    other.close();
  });

  test('fresh forgets the data', async () => {
    const first = await start();
    await query(first, 'create table sale as select 42 as points');
    await first.stop();

    const second = await start({ fresh: true });

    await expect(query(second, 'select points from sale')).rejects.toThrow('does not exist');
  });

  test('a folder with something else in it is refused and left alone', async () => {
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'thesis.txt'), 'mine');

    await expect(start({ fresh: true })).rejects.toThrow('holds something else');

    expect(readdirSync(dataDir)).toEqual(['thesis.txt']);
  });

  test('of two starts at the same moment one serves and the other says who does', async () => {
    const both = await Promise.allSettled([start(), start()]);

    const refused = both.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refused).toHaveLength(1);
    expect(String(refused[0])).toContain(`Process ${process.pid} already runs PostgreSQL`);
    expect(servers).toHaveLength(1);
  });
});

describe('when its starter ends', () => {
  test('Ctrl-C reaches the starter and not the server', async () => {
    const child = startElsewhere();
    const { pid } = await firstLine(child);
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    await once(child, 'exit');

    expect(startedAt(pid)).toBeDefined();
    expect((await start()).recovered).toBe(true);
  });

  test('a starter that exits without stopping the server takes it along', async () => {
    const { pid } = await firstLine(startElsewhere(process.env, 'process.exit(3)'));

    await expect.poll(() => startedAt(pid), { timeout: 10_000 }).toBeUndefined();
    expect((await start()).recovered).toBe(false);
  });

  test('a server alone does not keep its starter from ending', async () => {
    const { pid } = await firstLine(startElsewhere(process.env, ''));

    await expect.poll(() => startedAt(pid), { timeout: 10_000 }).toBeUndefined();
  });
});

describe('after a kill', () => {
  test('a server whose starter was killed is stopped, and its data is there', async () => {
    const child = startElsewhere();
    const orphan = await firstLine(child);
    const client = new Client({ connectionString: orphan.url });
    await client.connect();
    await client.query('create table sale as select 42 as points');
    await client.end();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(startedAt(orphan.pid)).toBeDefined();

    const server = await start();

    expect(server.recovered).toBe(true);
    expect(startedAt(orphan.pid)).toBeUndefined();
    expect(await query(server, 'select points from sale')).toEqual([{ points: 42 }]);
  });

  test('a server whose starter lives is refused and goes on', async () => {
    const child = startElsewhere();
    const { pid } = await firstLine(child);

    await expect(start()).rejects.toThrow(`Process ${child.pid} already runs PostgreSQL`);

    expect(startedAt(pid)).toBeDefined();
    child.kill('SIGKILL');
    await once(child, 'exit');
    await start();
  });

  test('a folder half made by a killed start is made anew', async () => {
    const child = startElsewhere();
    const isHalfDone = () => readdirSync(folder).some((name) => name.startsWith('data.half-'));
    while (!isHalfDone()) await sleep(5);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(dataDir)).toBe(false);

    const server = await start();

    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(isHalfDone()).toBe(false);
  });

  test('a server that was itself killed recovers what was committed', async () => {
    const first = await start({ settings: {} });
    await query(first, 'create table sale as select 42 as points');
    process.kill(first.pid, 'SIGKILL');
    await first.stop();

    const second = await start();

    expect(await query(second, 'select points from sale')).toEqual([{ points: 42 }]);
  });

  test('a stale note naming a process that is not ours harms neither', async () => {
    await (await start()).stop();
    writeFileSync(join(dataDir, 'postmaster.pid'), `${process.pid}\n${dataDir}\n`);

    const server = await start();

    expect(server.recovered).toBe(false);
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe.runIf(isRoot && process.platform === 'linux')('as root', () => {
  /** A PATH that holds only these programs. */
  function pathOf(...programs: string[]): NodeJS.ProcessEnv {
    const tools = join(folder, 'tools');
    mkdirSync(tools);
    for (const program of programs) {
      const [target = ''] = execFileSync('which', [program]).toString().split('\n');
      symlinkSync(target, join(tools, program));
    }
    return { ...process.env, PATH: tools };
  }

  test('below a closed folder the files stay those of root', async () => {
    await start();

    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'PG_VERSION')).uid).toBe(0);
  });

  test('without unshare it runs as nobody, on what root made before, and back again', async () => {
    await (await start()).stop();
    const child = startElsewhere(pathOf('setpriv', 'ls', 'chown'));
    const { pid } = await firstLine(child);
    expect(statSync(`/proc/${pid}`).uid).toBe(65_534);
    expect(statSync(join(dataDir, 'PG_VERSION')).uid).toBe(65_534);
    child.kill('SIGKILL');
    await once(child, 'exit');

    const server = await start();

    expect(server.recovered).toBe(true);
    expect(statSync(join(dataDir, 'PG_VERSION')).uid).toBe(0);
  });
});
