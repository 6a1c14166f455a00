import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { useFolder } from '../sandbox/fixtures.ts';

// The programs around the script are told what to answer. With real ones it runs in
// test/topology, where a server and a bucket are.
const SCRIPT = fileURLToPath(new URL('../../deploy/backup/backup.sh', import.meta.url));
const execute = promisify(execFile);
const folder = useFolder('backup-');

/** What each of them does, by name; `$at` is a folder for what they remember. */
const PROGRAMS = {
  psql: `
    case "$*" in
      *wal_status*) cat "$at/slot" ;;
      *pg_drop_replication_slot*) : >"$at/slot" ;;
      *pg_create_physical*) echo reserved >"$at/slot" ;;
      *record_backup*) echo "$*" >>"$at/recorded" ;;
      *clock_timestamp*) date +%s000 ;;
      *job_runs*) echo 9999999999999 ;;
      *data_directory*) echo "$at" ;;
      *pg_walfile_name*) echo '5|00000001' ;;
      *pg_is_in_recovery*) [ ! -e "$at/listens" ] || echo f ;;
    esac`,
  'barman-cloud-backup': `
    if [ -e "$at/loses" ]; then
      echo lost >"$at/slot"
      "${SCRIPT}" ship
    fi`,
  'barman-cloud-backup-delete': '',
  'barman-cloud-restore': '',
  verify: 'exit "$(cat "$at/status")"',
};
/** A shell that is started in the background cannot listen to this signal. */
const postgresAt = (listens: string) => `#!${process.execPath}
process.on('SIGINT', () => process.exit());
require('node:fs').writeFileSync(${JSON.stringify(listens)}, '');
setTimeout(() => {}, 60_000);`;

let at: string;
beforeEach(async () => {
  at = join(folder.path, 'at');
  await rm(at, { recursive: true, force: true });
  await mkdir(at, { recursive: true });
  for (const [name, does] of Object.entries(PROGRAMS)) {
    await writeFile(join(at, name), `#!/bin/sh\nat='${at}'\n${does}\n`, { mode: 0o755 });
  }
  await writeFile(join(at, 'postgres'), postgresAt(join(at, 'listens')), { mode: 0o755 });
  await writeFile(join(at, 'slot'), 'reserved');
});

async function backup(command: string): Promise<{ code: number; stderr: string }> {
  const env = {
    PATH: `${at}:${process.env.PATH}`,
    BACKUP_URL: 's3://bucket/folder?region=eu-central-1',
    BACKUP_SCRATCH: join(at, 'scratch'),
    BACKUP_VERIFY: join(at, 'verify'),
    PGDATABASE: 'loyalty',
  };
  try {
    return { code: 0, ...(await execute(SCRIPT, [command], { env })) };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, stderr };
  }
}

describe('backup copy', () => {
  const wanted = () => join(at, 'scratch', 'copy-wanted');
  const recorded = () => readFile(join(at, 'recorded'), 'utf8').catch(() => '');
  beforeEach(async () => {
    await mkdir(join(at, 'scratch'), { recursive: true });
  });

  it('is no longer wanted once it was made', async () => {
    await writeFile(wanted(), '');
    expect(await backup('copy')).toMatchObject({ code: 0 });
    expect(existsSync(wanted())).toBe(false);
    expect(await recorded()).toContain("record_backup('copy'");
  });

  it('is wanted again where log of its time was lost', async () => {
    await writeFile(join(at, 'loses'), '');
    expect(await backup('copy')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Log of the time of the copy was lost.'),
    });
    expect(existsSync(wanted())).toBe(true);
    expect(await recorded()).not.toContain("record_backup('copy'");
  });
});

describe('backup check', () => {
  it.each([
    [0, 0, 'its ledger is whole'],
    [1, 1, 'The restored ledger is not whole.'],
    [2, 1, 'The restored ledger could not be verified.'],
  ])('says of a verification that ends with %s what it found', async (status, code, says) => {
    await writeFile(join(at, 'status'), String(status));
    expect(await backup('check')).toMatchObject({ code, stderr: expect.stringContaining(says) });
  });
});
