import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '../support/database/test-database.ts';
import { createProcesses } from '../support/processes.ts';
import { createTestTemporal } from '../support/temporal/test-temporal.ts';

/** Collects what has to be undone, and undoes it in the reverse order. */
export type CleanUps = { add(work: () => Promise<unknown>): void; run(): Promise<void> };

/** Makes a list of what has to be undone. */
export function cleanUps(): CleanUps {
  const works: (() => Promise<unknown>)[] = [];
  return {
    add: (work) => works.unshift(work),
    async run() {
      for (const work of works.splice(0)) await work();
    },
  };
}

/** Creates a folder that is removed at the end. */
export async function makeFolder(undo: CleanUps): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'loyalty-foreign-'));
  undo.add(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

type Env = Record<string, string>;
export type Service = Awaited<ReturnType<typeof startRealService>>;
export type Answer = { status: number; headers: Headers; body: Record<string, unknown> };

/** Starts the real API and worker as processes, on a database and a namespace of their own. */
export async function startRealService(
  undo: CleanUps,
  environment: Env | ((databaseUrl: string) => Promise<Env>),
) {
  const database = await createTestDatabase();
  undo.add(database.close);
  const env = typeof environment === 'function' ? await environment(database.url) : environment;
  const temporal = await createTestTemporal();
  undo.add(temporal.close);
  const limits = ['READS', 'WRITES', 'LOOKUPS', 'WEBHOOKS'].map((name) => [
    `RATE_LIMIT_${name}`,
    '0',
  ]);
  const processes = await createProcesses({
    databaseUrl: database.url,
    temporalAddress: temporal.address,
    namespace: temporal.namespace,
    env: { ...Object.fromEntries(limits), SWEEP_INTERVAL_SECONDS: '5', ...env },
  });
  undo.add(processes.close);
  await processes.start('worker');
  await processes.start('api');

  async function call(
    token: string,
    method: string,
    path: string,
    json?: unknown,
  ): Promise<Answer> {
    const response = await fetch(`${processes.apiUrl}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    return { status: response.status, headers: response.headers, body: await objectIn(response) };
  }
  return { db: database.db, apiUrl: processes.apiUrl, dir: processes.dir, call };
}

async function objectIn(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response.json().catch(() => ({}));
  return typeof body === 'object' && body !== null ? { ...body } : {};
}
