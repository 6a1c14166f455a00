import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { startedAt } from '../../../sandbox/processes/processes.ts';
import { firstLine, place, query, start, startElsewhere } from './place.ts';

const isRoot = process.getuid?.() === 0;

describe('when its parent ends', () => {
  test('Ctrl-C reaches the parent, not the server', async () => {
    const child = startElsewhere();
    const { pid } = await firstLine(child);
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    await once(child, 'exit');

    expect(startedAt(pid)).toBeDefined();
    expect((await start()).recovered).toBe(true);
  });

  test('the server ends with a parent that exits without stopping it', async () => {
    const { pid } = await firstLine(startElsewhere(process.env, 'process.exit(3)'));

    await expect.poll(() => startedAt(pid), { timeout: 10_000 }).toBeUndefined();
    expect((await start()).recovered).toBe(false);
  });

  test('the server does not keep its parent running', async () => {
    const { pid } = await firstLine(startElsewhere(process.env, ''));

    await expect.poll(() => startedAt(pid), { timeout: 10_000 }).toBeUndefined();
  });
});

describe('after a kill', () => {
  test('the server of a killed parent is stopped, and its data is kept', async () => {
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

  test('refuses a start while the parent of a server runs, which continues', async () => {
    const child = startElsewhere();
    const { pid } = await firstLine(child);

    await expect(start()).rejects.toThrow(`Process ${child.pid} already runs PostgreSQL`);

    expect(startedAt(pid)).toBeDefined();
    child.kill('SIGKILL');
    await once(child, 'exit');
    await start();
  });

  test('a folder left incomplete by a killed start is created again', async () => {
    const child = startElsewhere();
    const isHalfDone = () =>
      readdirSync(place.folder).some((name) => name.startsWith('data.half-'));
    while (!isHalfDone()) await sleep(5);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(place.dataDir)).toBe(false);

    const server = await start();

    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(isHalfDone()).toBe(false);
  });

  test('committed data survives a kill of the server itself', async () => {
    const first = await start({ settings: {} });
    await query(first, 'create table sale as select 42 as points');
    process.kill(first.pid, 'SIGKILL');
    await first.stop();

    const second = await start();

    expect(await query(second, 'select points from sale')).toEqual([{ points: 42 }]);
  });

  test('a stale pid file that names another process harms neither', async () => {
    await (await start()).stop();
    writeFileSync(join(place.dataDir, 'postmaster.pid'), `${process.pid}\n${place.dataDir}\n`);

    const server = await start();

    expect(server.recovered).toBe(false);
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe.runIf(isRoot && process.platform === 'linux')('as root', () => {
  /** Returns an environment whose PATH contains only these programs. */
  function pathOf(...programs: string[]): NodeJS.ProcessEnv {
    const tools = join(place.folder, 'tools');
    mkdirSync(tools);
    for (const program of programs) {
      const [target = ''] = execFileSync('which', [program]).toString().split('\n');
      symlinkSync(target, join(tools, program));
    }
    return { ...process.env, PATH: tools };
  }

  test("files below a closed folder stay root's", async () => {
    await start();

    expect(statSync(place.folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(place.dataDir, 'PG_VERSION')).uid).toBe(0);
  });

  /** Below a closed folder, such as many home folders, only root can reach PostgreSQL. */
  const isOpenToNobody = () => {
    const code = 'fs.accessSync(process.argv[1])';
    const nobody = { uid: 65_534, gid: 65_534, cwd: '/', stdio: 'ignore' } as const;
    return (
      spawnSync(process.execPath, ['-e', code, fileURLToPath(import.meta.url)], nobody).status === 0
    );
  };

  test.runIf(isOpenToNobody())(
    "runs as nobody without unshare, on root's data, and as root again afterwards",
    async () => {
      await (await start()).stop();
      const child = startElsewhere(pathOf('setpriv', 'ls', 'chown'));
      const { pid } = await firstLine(child);
      expect(statSync(`/proc/${pid}`).uid).toBe(65_534);
      expect(statSync(join(place.dataDir, 'PG_VERSION')).uid).toBe(65_534);
      child.kill('SIGKILL');
      await once(child, 'exit');

      const server = await start();

      expect(server.recovered).toBe(true);
      expect(statSync(join(place.dataDir, 'PG_VERSION')).uid).toBe(0);
    },
  );
});
