import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { z } from 'zod';
import { type Postgres, startPostgres } from '../../sandbox/postgres/server.ts';
import type { Member } from './member.ts';

export type Database = Member &
  Pick<Postgres, 'url'> & {
    /** Takes a base backup, with which and the archived log it can be restored. */
    backUp(): Promise<void>;
    /** Has the log archived that is still being written, as a busy server does by itself. */
    archiveLog(): Promise<void>;
    /** Removes all of its data, as a disk that breaks would. */
    destroy(): Promise<void>;
    /** Restores the base backup, and all that was logged up to a moment, and starts it. */
    restore(until: Date): Promise<void>;
  };

const AS_IN_PRODUCTION = { fsync: 'on', synchronous_commit: 'on' };
const RECOVERED_WITHIN_MS = 120_000;

/** Starts a PostgreSQL that keeps its address and data across restarts, and archives its log. */
export async function startDatabase(
  folder: string,
  durability: Record<string, string> = AS_IN_PRODUCTION,
): Promise<Database> {
  const at = {
    data: join(folder, 'postgres'),
    backup: join(folder, 'base-backup'),
    archive: join(folder, 'archive'),
  };
  await mkdir(at.archive);
  const settings = {
    ...durability,
    archive_mode: 'on',
    archive_command: `test ! -f ${at.archive}/%f && cp %p ${at.archive}/%f`,
  };
  let running: Postgres | undefined = await startPostgres({ dataDir: at.data, settings });
  const { port, url } = running;
  const stop = async () => {
    const ending = running;
    running = undefined;
    await ending?.stop();
  };
  const start = async (more: Record<string, string> = {}) => {
    const options = { dataDir: at.data, preferredPort: port, settings: { ...settings, ...more } };
    running ??= await startPostgres(options);
    if (running.port !== port)
      throw new Error(`Port ${port} has been taken by another program: run this again`);
  };
  return {
    name: 'postgres',
    url,
    start,
    stop,
    kill: stop,
    pid() {
      if (running === undefined) throw new Error('PostgreSQL is not running');
      return running.pid;
    },
    fault: () => undefined,
    backUp: () => backUp(url('postgres'), at),
    async archiveLog() {
      const client = new Client(url('postgres'));
      await client.connect();
      await client.query('select pg_switch_wal()');
      await client.end();
      // A server that stops archives what it has finished.
    },
    async destroy() {
      // What was logged and not yet archived is lost with the disk.
      await stop();
      await rm(at.data, { recursive: true });
    },
    async restore(until) {
      await cp(at.backup, at.data, { recursive: true, preserveTimestamps: true });
      await writeFile(join(at.data, 'recovery.signal'), '');
      await start({
        restore_command: `cp ${at.archive}/%f %p`,
        recovery_target_time: until.toISOString().replace('T', ' ').replace('Z', '+00'),
        recovery_target_action: 'promote',
      });
      await untilRecovered(url('postgres'));
    },
  };
}

/** A backup as Postgres describes it for copies of files (continuous archiving, low-level API). */
async function backUp(url: string, at: { data: string; backup: string }): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query("select pg_backup_start('drill', fast => true)");
    await rm(at.backup, { recursive: true, force: true });
    await mkdir(at.backup, { mode: 0o700 });
    for (const name of await readdir(at.data)) {
      if (LEFT_OUT.has(name) || EMPTY.has(name)) continue;
      await cp(join(at.data, name), join(at.backup, name), { recursive: true });
    }
    for (const empty of EMPTY) await mkdir(join(at.backup, empty), { mode: 0o700 });
    // It waits until the log that the copy needs is archived.
    const { rows } = await client.query('select labelfile, spcmapfile from pg_backup_stop()');
    const [stopped] = z.array(z.object({ labelfile: z.string() })).parse(rows);
    await writeFile(join(at.backup, 'backup_label'), stopped?.labelfile ?? '');
  } finally {
    await client.end();
  }
}

const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts']);
/** Folders that are backed up without what is in them. */
const EMPTY = new Set(['pg_wal', 'pg_replslot']);

async function untilRecovered(url: string): Promise<void> {
  const deadline = Date.now() + RECOVERED_WITHIN_MS;
  for (;;) {
    const client = new Client(url);
    await client.connect();
    const { rows } = await client.query('select pg_is_in_recovery() as recovering');
    await client.end();
    const [state] = z.array(z.object({ recovering: z.boolean() })).parse(rows);
    if (state?.recovering === false) return;
    if (Date.now() > deadline) throw new Error('PostgreSQL is still in recovery');
    await sleep(200);
  }
}
