import { parseArgs } from 'node:util';
import { loadDatabase, loadOrExit, loadOwnerUrl } from '../config.ts';
import { showSteps } from '../gateways/terminal/steps.ts';
import { connect } from './connection.ts';
import { isDatabaseUnreachable, lineOf } from './errors.ts';
import { roleOf } from './schema/grants.ts';
import { migrate } from './schema/migrate.ts';
import { pendingSql } from './schema/print.ts';
import { storeSettings } from './session-settings.ts';

const STATUS = { done: 0, failed: 1, cannotAsk: 2 } as const;

const USAGE = `Usage: npm run migrate -- [--json | --print]

Brings the schema up to date while the service runs; an interrupted run is repeated. On a terminal
it shows how far it has come.
  --json   prints one JSON object: the migrations that ran, and how many seconds each took
  --print  prints the SQL of the migrations that would run, and runs nothing
`;

/** Migrates the database of the configuration, prints what ran, and returns the exit status. */
async function main(): Promise<number> {
  const options = readOptions();
  if (options === undefined) return STATUS.cannotAsk;
  const ownerUrl = loadOrExit(loadOwnerUrl, STATUS.cannotAsk);
  if (options.print) return print(ownerUrl);
  const { url, installation } = loadOrExit(loadDatabase, STATUS.cannotAsk);
  const role = roleOf(url);
  const db = connect(ownerUrl, 1, 'loyalty-migrate');
  const progress = showSteps();
  const tell = (line: string) => {
    progress.end();
    process.stderr.write(`${line}\n`);
  };
  const migrated: { name: string; seconds: number }[] = [];
  try {
    await migrate(db, {
      installation,
      serviceRole: role === roleOf(ownerUrl) ? undefined : role,
      tell,
      onStep: process.stderr.isTTY ? progress.at : undefined,
      onMigrated(name, seconds) {
        migrated.push({ name, seconds: Math.round(seconds * 1000) / 1000 });
        if (seconds >= 1) tell(`${name} took ${seconds.toFixed(1)} s.`);
      },
    });
    progress.end();
    await storeSettingsOf(url);
    const names = migrated.map(({ name }) => name).join(', ');
    const ran = names === '' ? 'Nothing to migrate.' : `Migrated: ${names}`;
    process.stdout.write(`${options.json ? JSON.stringify({ migrated }) : ran}\n`);
    return STATUS.done;
  } catch (error) {
    progress.end();
    return statusOf(error);
  } finally {
    await db.destroy();
  }
}

/** Prints what would run, and returns the exit status. */
async function print(ownerUrl: string): Promise<number> {
  const db = connect(ownerUrl, 1, 'loyalty-migrate');
  try {
    process.stdout.write((await pendingSql(db)) || '-- Nothing to migrate.\n');
    return STATUS.done;
  } catch (error) {
    return statusOf(error);
  } finally {
    await db.destroy();
  }
}

function statusOf(error: unknown): number {
  process.stderr.write(`The schema was not migrated: ${lineOf(error)}\n`);
  return isDatabaseUnreachable(error) ? STATUS.cannotAsk : STATUS.failed;
}

function readOptions(): { json: boolean; print: boolean } | undefined {
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({ options: { json: flag, print: flag } }).values;
  } catch (error) {
    process.stderr.write(`${lineOf(error)}\n\n${USAGE}`);
    return undefined;
  }
}

/** As the service's role, since the schema's owner may not change another role. */
async function storeSettingsOf(url: string): Promise<void> {
  const db = connect(url, 1, 'loyalty-migrate');
  try {
    await storeSettings(db);
  } catch (error) {
    // Sessions without a pooler set them, and behind one the service says at its start what to do.
    process.stderr.write(`The settings of the role were not stored: ${lineOf(error)}\n`);
  } finally {
    await db.destroy();
  }
}

process.exitCode = await main();
