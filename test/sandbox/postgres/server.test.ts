import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { createDatabase, dropDatabase, startPostgres } from '../../../sandbox/postgres/server.ts';
import { startedAt } from '../../../sandbox/processes/processes.ts';
import { FAST, place, query, servers, start } from './place.ts';

describe('startPostgres', () => {
  test('data survives a restart', async () => {
    const first = await start();
    await query(first, 'create table sale as select 42 as points');
    await first.stop();
    expect(startedAt(first.pid)).toBeUndefined();

    const second = await start();

    expect(second.recovered).toBe(false);
    expect(await query(second, 'select points from sale')).toEqual([{ points: 42 }]);
  });

  test('applies the settings, uses UTF-8 and listens only at 127.0.0.1', async () => {
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

  test('writes are synchronised to disk by default', async () => {
    const server = await startPostgres({ dataDir: place.dataDir });
    servers.push(server);

    const safe = `select name, setting from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name`;

    expect(await query(server, safe)).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'synchronous_commit', setting: 'on' },
    ]);
  });

  test('refuses a wrong password', async () => {
    const server = await start();
    const url = new URL(server.url('postgres'));
    url.password = 'guessed';

    const client = new Client({ connectionString: url.href });

    await expect(client.connect()).rejects.toThrow('password authentication failed');
  });

  test('copies databases from a template, and drops them despite connected clients', async () => {
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

  test('uses another port when the preferred one is busy', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const busy = address !== null && typeof address === 'object' ? address.port : 0;

    const server = await start({ preferredPort: busy });

    expect(server.port).not.toBe(busy);
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    other.close();
  });

  test('fresh deletes the data', async () => {
    const first = await start();
    await query(first, 'create table sale as select 42 as points');
    await first.stop();

    const second = await start({ fresh: true });

    await expect(query(second, 'select points from sale')).rejects.toThrow('does not exist');
  });

  test('refuses a folder with other files and leaves it unchanged', async () => {
    mkdirSync(place.dataDir);
    writeFileSync(join(place.dataDir, 'thesis.txt'), 'mine');

    await expect(start({ fresh: true })).rejects.toThrow('contains other files');

    expect(readdirSync(place.dataDir)).toEqual(['thesis.txt']);
  });

  test('one of two concurrent starts serves, and the other names its process', async () => {
    const both = await Promise.allSettled([start(), start()]);

    const refused = both.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refused).toHaveLength(1);
    expect(String(refused[0])).toContain(`Process ${process.pid} already runs PostgreSQL`);
    expect(servers).toHaveLength(1);
  });
});
