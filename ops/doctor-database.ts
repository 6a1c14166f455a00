import { readBackupAges } from '../db/backups.ts';
import { connect, type Db, takesRequests } from '../db/connection.ts';
import { readServer } from '../db/server.ts';
import { findRoleSettings } from '../db/session-settings.ts';
import { agedBackups, type BackupAges } from '../domain/backups.ts';
import type { DatabasePlace } from '../domain/installation.ts';
import { comparingClocks } from '../gateways/checks/address-checks.ts';
import { type Check, NotKnown } from '../gateways/checks/check.ts';

const OLDEST_VERSION = 15;

/** The checks of Postgres, by a pool of the service's own kind; of an API also where it listens. */
export function databaseChecks(db: Db, listen: DatabasePlace | undefined): Check[] {
  return [
    {
      name: 'database',
      todo: 'Check DATABASE_URL, then npm run migrate.',
      async look() {
        if (!(await takesRequests(db))) throw new Error('it is read-only, as a standby is');
        const { version } = await readServer(db);
        if (Number.parseInt(version, 10) >= OLDEST_VERSION) return `Postgres ${version}`;
        throw new Error(`it is Postgres ${version}; ${OLDEST_VERSION} is the oldest that will do`);
      },
    },
    {
      name: 'database role',
      todo: 'Run npm run migrate, which stores them; behind a pooler, then RECONNECT there.',
      async look() {
        await answering(db);
        const { lacking, isPooled } = await findRoleSettings(db);
        if (lacking.length > 0) throw new Error(`the role has no limits: ${lacking.join(', ')}`);
        return isPooled ? 'has its limits, behind a pooler' : 'has its limits';
      },
    },
    {
      name: 'listening session',
      todo: 'Set DATABASE_LISTEN_URL to the server itself: a pooler gives the session to others.',
      async look() {
        if (listen === undefined) throw new NotKnown('only an API listens: ask there');
        await answering(db);
        return listening(listen);
      },
    },
    comparingClocks('database clock', 'Postgres', async () => {
      await answering(db);
      return { theirs: (await readServer(db)).now };
    }),
  ];
}

/** The check of how old the backups are, as whatever makes them has told the database. */
export function checkingBackups(db: Db): Check {
  return {
    name: 'backup',
    todo: 'Read docs/operating.md, Backups; of a managed Postgres, look where it keeps its own.',
    async look() {
      await answering(db);
      const ages = await readBackupAges(db);
      if (ages === null) throw new NotKnown('nothing tells the database of its backups');
      const [text, aged] = [describeBackups(ages), agedBackups(ages)];
      if (aged.length === 0) return text;
      throw new Error(`${aged.join(' and ')} ${aged.length > 1 ? 'are' : 'is'} too old: ${text}`);
    },
  };
}

function describeBackups({ log, copy, check }: BackupAges): string {
  const hours = (seconds: number) => Math.round(seconds / 3600);
  return (
    `the log was shipped ${Math.round(log)} seconds ago, a copy was made ${hours(copy)} hours ` +
    `ago, and one was restored and verified ${hours(check)} hours ago`
  );
}

/** What follows from an answer is not known without one: the first check says why. */
async function answering(db: Db): Promise<void> {
  await takesRequests(db).catch(() => {
    throw new NotKnown('the database has to answer first');
  });
}

async function listening(at: DatabasePlace): Promise<string> {
  const db = connect(at, 1, 'loyalty-doctor');
  try {
    const { isPooled } = await findRoleSettings(db);
    if (!isPooled) return 'reaches the server itself';
  } finally {
    await db.destroy();
  }
  throw new Error('a pooler is in between, so that open streams learn of changes 30 seconds late');
}
