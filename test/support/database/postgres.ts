import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { addressFor, OWNER, SERVICE } from '../../../sandbox/postgres/roles.ts';
import { startPostgres } from '../../../sandbox/postgres/server.ts';
import { createServiceDatabase } from './service-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection strings of the tests' server, with NAME as the name of the database. */
    databaseUrls: DatabaseUrls;
  }
}

/** Connection strings for the server's superuser, the schema's owner and the service. */
export type DatabaseUrls = { superuser: string; owner: string; service: string };

export const TEMPLATE_DATABASE = 'loyalty_template';

/** Starts Postgres for the whole test run, with a migrated database to clone. */
export async function setup(project: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'loyalty-test-'));
  const postgres = await startPostgres({
    dataDir: join(dir, 'postgres'),
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  });
  await createServiceDatabase(postgres, TEMPLATE_DATABASE);

  project.provide('databaseUrls', {
    superuser: postgres.url('NAME'),
    owner: addressFor(postgres, OWNER, 'NAME'),
    service: addressFor(postgres, SERVICE, 'NAME'),
  });
  return async () => {
    await postgres.stop();
    await rm(dir, { recursive: true, force: true });
  };
}
