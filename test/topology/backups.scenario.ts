import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { readBackupAges } from '../../db/backups.ts';
import { agedBackups } from '../../domain/backups.ts';
import { required } from '../support/factories.ts';
import { startBackups } from './backups.ts';
import { createClient } from './client.ts';
import { untilDrained } from './draining.ts';
import { clockOf, digestOf } from './ledger-digest.ts';
import { log } from './topology.ts';
import { deliver } from './traffic.ts';
import { expectIntact, useTopology } from './use-topology.ts';

// The shipped script of the profile `backup`, on a real bucket: what it has made is restored.

const topology = await useTopology();
const { db, apis, workers, postgres, folder } = topology;
const backups = await startBackups(topology);
const client = createClient(topology.port, 16);
const data = join(folder, 'postgres');
const output = join(folder, 'backup.log');
let killLoop = backups.run(output);
afterAll(async () => {
  killLoop();
  client.close();
  await backups.close();
});

const SOON = { timeout: 300_000, interval: 500 };
/** Commits are told apart from the moment to restore to by this at least. */
const APART_MS = 1_500;

async function sell(name: string): Promise<void> {
  const pace = { perSecond: 50, shouldContinue: (seconds: number) => seconds < 2, retry: true };
  await deliver(topology, client, { name }, pace);
  await untilDrained(db, 120);
}

/** How often the loop has said a text. */
const said = (text: string) => readFileSync(output, 'utf8').split(text).length - 1;

async function untilShipped(): Promise<void> {
  const since = await clockOf(db);
  const isShipped = async () => {
    const row = await db('job_runs').where({ job: 'backup_log' }).first('completedAt');
    return row !== undefined && new Date(row.completedAt) >= since;
  };
  await expect.poll(isShipped, SOON).toBe(true);
}

function succeed(...args: string[]): string {
  const { status, text } = backups.command(...args);
  log(`backup ${args.join(' ')}\n${text}`);
  expect(status, text).toBe(0);
  return text;
}

let moment: Date;
let atMoment: string;
let atTheEnd: string;

it('makes a full copy at once, and ships the log', async () => {
  await sell('before');
  await expect.poll(() => said('A full copy is in the bucket.'), SOON).toBe(1);
  await sell('after');
  await sleep(APART_MS);
  moment = await clockOf(db);
  atMoment = await digestOf(db);
  await sleep(APART_MS);
  await sell('later');
  atTheEnd = await digestOf(db);
  await untilShipped();
  expect(agedBackups(required(await readBackupAges(db)))).toEqual([]);
  expect(atTheEnd).not.toBe(atMoment);
});

it('restores a database that is lost to a moment, and to its end', async () => {
  killLoop();
  for (const member of [...apis, ...workers]) await member.kill();
  await postgres.destroy();

  succeed('restore', data, moment.toISOString().replace('T', ' ').replace('Z', '+00'));
  await postgres.start();
  expect(await digestOf(db)).toBe(atMoment);
  expect(await topology.verify()).toMatchObject({ status: 0 });
  await postgres.destroy();

  expect(succeed('restore', data)).toMatch(/The last that happened in it was at 20/);
  await postgres.start();
  await topology.migrate();
  expect(await digestOf(db)).toBe(atTheEnd);
  expect(await topology.verify()).toMatchObject({ status: 0 });
});

it('begins anew on what was restored, and never writes over what is there', async () => {
  const { status, text } = backups.command('restore', data);
  expect({ status, text }).toEqual({ status: 1, text: expect.stringMatching(/is not empty/) });
  killLoop = backups.run(output);
  for (const member of [...workers, ...apis]) await member.start();
  await sell('before');
  expect(await digestOf(db)).toBe(atTheEnd);
  await expect.poll(() => said('A full copy is in the bucket.'), SOON).toBe(2);
  await sell('again');
  expect(await digestOf(db)).not.toBe(atTheEnd);
});

describe('the check', () => {
  const kept = () => readdirSync(backups.bucket, { recursive: true, encoding: 'utf8' }).sort();
  const newest = (pattern: RegExp) =>
    join(backups.bucket, required(kept().findLast((path) => pattern.test(path))));

  /** Checks while a file of the bucket is damaged. */
  function checkDamaged(path: string, damage: (path: string) => void): string {
    const before = readFileSync(path);
    damage(path);
    const { status, text } = backups.command('check');
    log(text);
    writeFileSync(path, before);
    expect(status, text).toBe(1);
    return text;
  }

  /** Changes some bytes in the middle. */
  const flip = (path: string) => {
    const bytes = readFileSync(path);
    const middle = Math.floor(bytes.length / 2);
    for (let at = middle; at < middle + 16; at++) bytes[at] = ~required(bytes[at]);
    writeFileSync(path, bytes);
  };

  it('restores the newest copy and its log, and verifies the ledger', async () => {
    await db('job_runs')
      .where({ job: 'backup_check' })
      .update({ completedAt: new Date(0) });
    expect(agedBackups(required(await readBackupAges(db)))).toEqual(['check']);
    // The loop finds that it is due.
    await expect.poll(() => said('its ledger is whole.'), SOON).toBe(1);
    expect(readFileSync(output, 'utf8')).toContain('Every wallet adds up.');
    expect(agedBackups(required(await readBackupAges(db)))).toEqual([]);
  });

  it('finds a copy that is damaged', () => {
    const text = checkDamaged(newest(/base\/.*data\.tar\.gz$/), flip);
    // Unpacking may take it for the end: then the last file, pg_control, is not there.
    expect(text).toMatch(/full copy cannot be read|cannot be restored/);
  });

  it('finds a log that is damaged, or lacks a part', async () => {
    await sell('logged');
    await untilShipped();
    const segment = newest(/wals\/.*\/[0-9A-F]{24}\.gz$/);
    expect(checkDamaged(segment, flip)).toContain('The copy and its log cannot be restored.');
    expect(checkDamaged(segment, (path) => rmSync(path))).toMatch(
      /The log ends \d+ seconds before/,
    );
    expect(readFileSync(output, 'utf8')).not.toContain('FAILED');
  });

  it('leaves the service as it is', () => expectIntact(topology));
});
