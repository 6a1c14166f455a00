import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { grantToService } from '../../../db/schema/grants.ts';
import { asSuperuser, type TestDatabase } from './test-database.ts';

/** A login of the service whose password a test changes, and the file that holds its address. */
export type ChangingRole = {
  name: string;
  url: string;
  urlFile: string;
  /** What Postgres knows. */
  setPassword(password: string): Promise<void>;
  /** What the file says. */
  writeFile(password: string): void;
  /** Ends its sessions, so that the next statements have to log in. */
  endSessions(): Promise<void>;
  remove(): Promise<void>;
};

/** Creates a role of the service in a test's database, with the password `old`. */
export async function createChangingRole(
  database: Pick<TestDatabase, 'url' | 'owner'>,
): Promise<ChangingRole> {
  const name = `role_${randomUUID().replaceAll('-', '')}`;
  const dir = mkdtempSync(join(tmpdir(), 'loyalty-role-'));
  const urlFile = join(dir, 'database_url');
  const addressWith = (password: string) => {
    const url = new URL(database.url);
    url.username = name;
    url.password = password;
    return url.href;
  };
  const writeFile = (password: string) => writeFileSync(urlFile, `${addressWith(password)}\n`);
  await asSuperuser((db) => db.raw(`create role ${name} login password 'old'`));
  await database.owner.transaction((tx) => grantToService(tx, name));
  writeFile('old');
  const end = 'select pg_terminate_backend(pid) from pg_stat_activity where usename = :name';
  const endSessions = () => asSuperuser((db) => db.raw(end, { name }));
  return {
    name,
    url: addressWith('old'),
    urlFile,
    setPassword: (password) =>
      asSuperuser((db) => db.raw(`alter role ${name} password '${password}'`)),
    writeFile,
    endSessions,
    async remove() {
      rmSync(dir, { recursive: true, force: true });
      await endSessions();
    },
  };
}
