import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { freePort } from '../../../sandbox/processes/ports.ts';
import { startedAt } from '../../../sandbox/processes/processes.ts';
import { ensureTemporalCli } from '../../../sandbox/temporal/cli.ts';
import { findTemporal } from '../../../sandbox/temporal/find.ts';
import {
  startTemporal,
  type TemporalOptions,
  type TemporalServer,
} from '../../../sandbox/temporal/server.ts';
import { useFolder } from '../fixtures.ts';

const BUILD_WITHIN_MS = 20 * 60_000;

const namespace = 'loyalty';
const searchAttributes = { Provider: 'Keyword', TenantIds: 'KeywordList' } as const;
const provider = defineSearchAttributeKey('Provider', SearchAttributeType.KEYWORD);

let cli = '';
const folder = useFolder('temporal-');
let dbFile = '';
const servers: TemporalServer[] = [];
const children: ChildProcess[] = [];

beforeAll(async () => {
  cli = (await ensureTemporalCli((line) => process.stdout.write(`${line}\n`))).path;
}, BUILD_WITHIN_MS);
beforeEach(() => {
  dbFile = join(folder.path, 'temporal.db');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const server of servers.splice(0)) await server.stop();
});

async function start(options: Partial<TemporalOptions> = {}): Promise<TemporalServer> {
  const server = await startTemporal({ cli, namespace, dbFile, searchAttributes, ...options });
  servers.push(server);
  return server;
}

async function asClient<T>(
  { address }: TemporalServer,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await use(new Client({ connection, namespace }));
  } finally {
    await connection.close();
  }
}

/** Starts a workflow run that no worker executes. */
async function startRun(server: TemporalServer, workflowId: string): Promise<void> {
  const typedSearchAttributes = [{ key: provider, value: 'alpha' }];
  const options = { workflowId, taskQueue: 'nobody', typedSearchAttributes };
  await asClient(server, (client) => client.workflow.start('sale', options));
}

async function listedRuns(server: TemporalServer): Promise<string[]> {
  return await asClient(server, async (client) => {
    const ids: string[] = [];
    for await (const run of client.workflow.list({ query: 'Provider="alpha"' })) {
      ids.push(run.workflowId);
    }
    return ids;
  });
}

/** Starts the server in a separate process, which prints its pid and waits to be killed. */
async function startElsewhere(): Promise<{ child: ChildProcess; pid: number }> {
  const launcher = new URL('../../../sandbox/temporal/server.ts', import.meta.url).href;
  const code = `
    const { startTemporal } = await import(${JSON.stringify(launcher)});
    const server = await startTemporal(${JSON.stringify({ cli, namespace, dbFile })});
    console.log(server.pid);
    setInterval(() => {}, 1000);`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', code];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  for await (const chunk of child.stdout) return { child, pid: Number(String(chunk)) };
  throw new Error('The launcher ended without output.');
}

test('the namespace keeps runs for two weeks, and accepts a run at once', async () => {
  const server = await start();

  await startRun(server, 'sale/1');

  await expect.poll(() => listedRuns(server)).toEqual(['sale/1']);
  const { config } = await asClient(server, ({ connection }) =>
    connection.workflowService.describeNamespace({ namespace }),
  );
  expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(14 * 24 * 60 * 60);
});

test('runs survive a restart, and a new search attribute is added', async () => {
  const first = await start();
  await startRun(first, 'sale/1');
  await expect.poll(() => listedRuns(first)).toEqual(['sale/1']);
  await first.stop();
  expect(first.pid === undefined ? undefined : startedAt(first.pid)).toBeUndefined();

  const second = await start({
    searchAttributes: { ...searchAttributes, ConnectionId: 'Keyword' },
  });

  expect(second.recovered).toBe(false);
  expect(await listedRuns(second)).toEqual(['sale/1']);
  const { customAttributes } = await asClient(second, ({ connection }) =>
    connection.operatorService.listSearchAttributes({ namespace }),
  );
  expect(Object.keys(customAttributes)).toEqual(
    expect.arrayContaining(['Provider', 'TenantIds', 'ConnectionId']),
  );
});

test('fresh deletes the runs', async () => {
  const first = await start();
  await startRun(first, 'sale/1');
  await expect.poll(() => listedRuns(first)).toEqual(['sale/1']);
  await first.stop();

  const second = await start({ fresh: true });

  expect(await listedRuns(second)).toEqual([]);
});

test('starts without a file, and stops', async () => {
  const logFile = join(folder.path, 'memory.log');
  const server = await startTemporal({ cli, namespace, logFile });

  await server.stop();

  expect(server.pid === undefined ? undefined : startedAt(server.pid)).toBeUndefined();
});

test('the server of a killed parent is stopped, and its file can be used', async () => {
  const { child, pid } = await startElsewhere();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(startedAt(pid)).toBeDefined();

  const server = await start();

  expect(server.recovered).toBe(true);
  expect(startedAt(pid)).toBeUndefined();
  await startRun(server, 'sale/1');
});

test('refuses a start while the parent of a server runs, which continues', async () => {
  const { child, pid } = await startElsewhere();

  await expect(start()).rejects.toThrow(`Process ${child.pid} already runs Temporal`);

  expect(startedAt(pid)).toBeDefined();
  child.kill('SIGKILL');
  await once(child, 'exit');
  await start();
});

test('uses other ports when the preferred ones are busy, and serves the UI', async () => {
  const busy = await freePort();
  const other = createServer().listen(busy, '127.0.0.1');
  await once(other, 'listening');

  const server = await start({ preferredPort: busy, ui: true, preferredUiPort: busy });

  expect(server.address).not.toBe(`127.0.0.1:${busy}`);
  const page = await fetch(server.uiUrl ?? '');
  expect(page.status).toBe(200);
  expect(page.url).toContain('127.0.0.1');
  other.close();
});

test('names a file that is no database in the error, and releases its lock', async () => {
  await writeFile(
    dbFile,
    'this is no database, and it is long enough to be read as one'.repeat(20),
  );

  await expect(start()).rejects.toThrow(dbFile);

  expect(existsSync(`${dbFile}.owner`)).toBe(false);
  await start({ fresh: true });
});

async function namespacesOf(server: TemporalServer): Promise<unknown[]> {
  return await asClient(server, async ({ connection }) => {
    const { namespaces } = await connection.workflowService.listNamespaces({});
    return namespaces.map((each) => each.namespaceInfo?.name);
  });
}

test('uses a server that is named, takes nothing from it, and does not stop it', async () => {
  const running = await start();
  const found = await findTemporal({ namespace: 'another', address: running.address }, () => {});
  await found.stop();

  expect(found.address).toBe(running.address);
  expect(await namespacesOf(running)).toEqual(expect.arrayContaining(['another', namespace]));
});

test('says in the error which name led to a server that is not there', async () => {
  const address = `127.0.0.1:${await freePort()}`;

  const finding = findTemporal({ namespace, address }, () => {});

  await expect(finding).rejects.toThrow('unset SANDBOX_TEMPORAL_ADDRESS');
});

test("never joins the cluster that Temporal's own names point to", async () => {
  const theirs = await start();
  vi.stubEnv('TEMPORAL_ADDRESS', theirs.address);
  vi.stubEnv('TEMPORAL_NAMESPACE', namespace);
  vi.stubEnv('TEMPORAL_TLS', 'true');
  vi.stubEnv('TEMPORAL_API_KEY', 'a key of production');
  const before = await namespacesOf(theirs);

  const ours = await findTemporal({ namespace: 'loyalty-sandbox' }, () => {});
  servers.push(ours);

  expect(ours.address).not.toBe(theirs.address);
  expect(await namespacesOf(theirs)).toEqual(before);
});
