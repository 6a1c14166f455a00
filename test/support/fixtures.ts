import { afterAll } from 'vitest';
import {
  createTestDatabase,
  createUnverifiedDatabase,
  type TestDatabase,
  type VerifiedDatabase,
} from './database/test-database.ts';
import { startApp, type TestApp } from './http/app.ts';
import { type Connecting, startConnecting } from './providers/connecting.ts';
import { createTestTemporal, type TestTemporal } from './temporal/test-temporal.ts';

// What a test file needs around it, made when the file is loaded and closed after its last test, in
// the reverse order. To be awaited at the top level of a test file.

/** A migrated, empty database of the file's own, whose ledger is whole after its last test. */
export function useDatabase(): Promise<VerifiedDatabase> {
  return closedAfterAll(createTestDatabase());
}

/** One whose ledger need not be whole. */
export function useUnverifiedDatabase(): Promise<TestDatabase> {
  return closedAfterAll(createUnverifiedDatabase());
}

/** The whole API over HTTP, on a database and an issuer of the file's own. */
export function useApp(options: Parameters<typeof startApp>[0] = {}): Promise<TestApp> {
  return closedAfterAll(startApp(options));
}

/** A namespace of the file's own at the Temporal server of the tests. */
export function useTemporal(): Promise<TestTemporal> {
  return closedAfterAll(createTestTemporal());
}

/** An API with both providers simulated, for merchants who connect. */
export function useConnecting(...options: Parameters<typeof startConnecting>): Promise<Connecting> {
  return closedAfterAll(startConnecting(...options));
}

async function closedAfterAll<T extends { close(): Promise<unknown> }>(made: Promise<T>) {
  const opened = await made;
  afterAll(() => opened.close());
  return opened;
}
