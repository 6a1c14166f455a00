import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findTemporal } from '../../sandbox/temporal/find.ts';
import { setup as setUpPostgres } from './database/postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    temporalAddress: string;
  }
}

/** Starts Postgres and Temporal for the whole test run. */
export async function setup(project: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  const tearDownPostgres = await setUpPostgres(project);
  const dir = await mkdtemp(join(tmpdir(), 'loyalty-test-'));
  const report = (line: string) => process.stdout.write(`${line}\n`);
  const temporal = await findTemporal(
    { namespace: 'loyalty-tests', dbFile: join(dir, 'temporal.db'), fresh: true, ui: false },
    report,
  );
  project.provide('temporalAddress', temporal.address);
  return async () => {
    await temporal.stop();
    await tearDownPostgres();
    await rm(dir, { recursive: true, force: true });
  };
}
