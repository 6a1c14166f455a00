import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { IngestBatch } from '../../../api/intake/ingest-dispatcher.ts';
import { createOrchestrator, type Orchestrator } from '../../../api/temporal/orchestrator.ts';
import { EventId, TenantId } from '../../../domain/ids.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import { freePort } from '../../../sandbox/processes/ports.ts';
import { ensureTemporalCli } from '../../../sandbox/temporal/cli.ts';
import { prepareNamespace } from '../../../sandbox/temporal/namespace.ts';
import { startTemporal, type TemporalServer } from '../../../sandbox/temporal/server.ts';
import { PROVIDER, TENANT_IDS } from '../../../workflows/search-attributes.ts';
import { anAlphaConnection, anAlphaEvent, aTenant, storedEvents } from '../../support/factories.ts';
import { useDatabase, useTemporal } from '../../support/fixtures.ts';
import { eventRows } from '../../support/providers/events.ts';
import { activityDeps } from '../../support/temporal/activity-deps.ts';

const ABOUT_TEMPORAL = { timeout: 30_000, interval: 100 };
const temporal = await useTemporal();
const database = await useDatabase();

let log: string[];
const opened: Orchestrator[] = [];
beforeEach(() => {
  log = [];
});
afterEach(async () => {
  for (const orchestrator of opened.splice(0)) await orchestrator.close();
});

function open(at: { address?: string; namespace?: string; doneWithinMs?: number } = {}) {
  const { address = temporal.address, namespace = temporal.namespace, doneWithinMs } = at;
  const orchestrator = createOrchestrator({
    namespace,
    temporal: { address, tls: false },
    log: createLogger({ level: 'info', service: 'test' }, { write: (line) => log.push(line) }),
    ...(doneWithinMs !== undefined && { doneWithinMs }),
  });
  opened.push(orchestrator);
  return orchestrator;
}

async function connected(at: Parameters<typeof open>[0] = {}): Promise<Orchestrator> {
  const orchestrator = open(at);
  await expect.poll(() => orchestrator.isReachable(), ABOUT_TEMPORAL).toBe(true);
  return orchestrator;
}

const warnings = () =>
  log
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level >= 40)
    .map(({ event }) => event);

const someIds = (count: number) => Array.from({ length: count }, () => EventId.parse(randomUUID()));

const aBatch = (batch: Partial<IngestBatch> = {}): IngestBatch => ({
  provider: 'alpha',
  eventIds: someIds(2),
  tenantIds: [TenantId.parse(randomUUID())],
  correlationIds: ['request-1', 'request-2'],
  traceparents: [],
  ...batch,
});

const runOf = ({ eventIds }: IngestBatch, client = temporal.client) =>
  client.workflow.getHandle(`ingest/alpha/${eventIds[0]}`);

/** Runs `work` while our worker runs. */
const working = <T>(work: () => Promise<T>) =>
  temporal.withOwnWorker(activityDeps(database.db), work);

async function stored(count: number): Promise<IngestBatch> {
  const { db } = database;
  const tenantId = await aTenant(db);
  const merchantId = `M-${randomUUID()}`;
  await anAlphaConnection(db, { tenantId, merchantId });
  const bodies = Array.from({ length: count }, () => anAlphaEvent(merchantId));
  const eventIds = await storedEvents(db, merchantId, bodies);
  return aBatch({ eventIds, tenantIds: [tenantId] });
}

describe('with Temporal unreachable', () => {
  it('is not reachable, rejects at once and logs it once', async () => {
    const orchestrator = open({ address: `127.0.0.1:${await freePort()}` });
    expect(await orchestrator.isReachable()).toBe(false);
    await expect(orchestrator.ingest(aBatch())).rejects.toThrow('no connection to Temporal yet');
    await expect.poll(warnings).toEqual(['temporal_unreachable']);
  });

  it('closes while it is still connecting to a server that never answers', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const accepted = once(silent, 'connection');
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const orchestrator = open({ address: `127.0.0.1:${port}` });
    const [socket] = await accepted;

    expect(await orchestrator.isReachable()).toBe(false);
    await expect(orchestrator.ingest(aBatch())).rejects.toThrow('no connection to Temporal yet');
    await orchestrator.close();
    expect(warnings()).toEqual([]);
    socket.destroy();
    silent.close();
  });

  it('times out on a server that never answers, and logs it', async () => {
    const silent = createServer((socket) => socket.unref()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    open({ address: `127.0.0.1:${port}` });
    await expect.poll(warnings, ABOUT_TEMPORAL).toEqual(['temporal_unreachable']);
    silent.close();
  });
});

describe('when Temporal starts and stops', () => {
  let folder: string;
  let port: number;
  let server: TemporalServer | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orchestrator-'));
    port = await freePort();
  });
  afterEach(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function start(): Promise<void> {
    const { path: cli } = await ensureTemporalCli(() => undefined);
    const dbFile = join(folder, 'temporal.db');
    const options = { cli, dbFile, namespace: 'loyalty', preferredPort: port };
    server = await startTemporal(options);
    expect(server.address).toBe(`127.0.0.1:${port}`);
  }

  it('is reachable as soon as the server is up, and again after an outage', async () => {
    const at = { address: `127.0.0.1:${port}`, namespace: 'loyalty', doneWithinMs: 100 };
    const orchestrator = open(at);
    expect(await orchestrator.isReachable()).toBe(false);
    const reachable = () => orchestrator.isReachable();

    await start();
    await expect.poll(reachable, ABOUT_TEMPORAL).toBe(true);
    await orchestrator.ingest(aBatch());

    await server?.stop();
    expect(await orchestrator.isReachable()).toBe(false);
    // The SDK itself would retry for far longer.
    await expect(orchestrator.ingest(aBatch())).rejects.toThrow('did not answer in time');

    await start();
    await expect.poll(reachable, ABOUT_TEMPORAL).toBe(true);
    await orchestrator.ingest(aBatch());
  }, 120_000);
});

describe('ingest', () => {
  it('starts a run named by its first event, found by tenant and request', async () => {
    const orchestrator = await connected({ doneWithinMs: 100 });
    const correlationIds = ['one', 'two', 'one', ...someIds(30)];
    const batch = aBatch({ correlationIds });
    await orchestrator.ingest(batch);

    const run = await runOf(batch).describe();
    expect(run.status.name).toBe('RUNNING');
    expect(run.memo).toEqual({ correlationIds: [...new Set(correlationIds)].slice(0, 10) });
    expect(await run.staticSummary()).toBe('alpha ingest, 2 events');
    expect(run.typedSearchAttributes.get(TENANT_IDS)).toEqual(batch.tenantIds);
    expect(run.typedSearchAttributes.get(PROVIDER)).toBe('alpha');
  });

  it('resolves after its time limit without a worker, and leaves the run open', async () => {
    const orchestrator = await connected({ doneWithinMs: 100 });
    const batch = await stored(2);
    await orchestrator.ingest(batch);
    expect((await runOf(batch).describe()).status.name).toBe('RUNNING');
    const summary = await working(() => runOf(batch).result());
    expect(summary).toMatchObject({ events: 2, stored_anonymous: 2 });
  });

  it('resolves when the run is done', async () => {
    const orchestrator = await connected();
    const batch = await stored(3);
    await working(() => orchestrator.ingest(batch));
    expect((await runOf(batch).describe()).status.name).toBe('COMPLETED');
    const events = await eventRows(database.db).whereIn('id', batch.eventIds);
    expect(events.map(({ processed }) => processed)).toEqual([true, true, true]);
  });

  it('uses the run in progress when the same batch is started twice', async () => {
    const orchestrator = await connected({ doneWithinMs: 100 });
    const batch = await stored(1);
    await orchestrator.ingest(batch);
    const { runId } = await runOf(batch).describe();
    await Promise.all([orchestrator.ingest(batch), orchestrator.ingest(batch)]);
    expect((await runOf(batch).describe()).runId).toBe(runId);

    await working(() => runOf(batch).result());
    await expect(orchestrator.ingest(batch)).rejects.toThrow('already started');
    expect((await runOf(batch).describe()).runId).toBe(runId);
  });

  it('rejects when the run does not complete', async () => {
    const orchestrator = await connected();
    const batch = aBatch();
    const ingested = expect(orchestrator.ingest(batch)).rejects.toThrow();
    const terminate = () => runOf(batch).terminate('by the test');
    await expect
      .poll(
        () =>
          terminate().then(
            () => true,
            () => false,
          ),
        ABOUT_TEMPORAL,
      )
      .toBe(true);
    await ingested;
  });

  it('rejects in a namespace that lacks the search attributes', async () => {
    const namespace = `test-${randomUUID()}`;
    await prepareNamespace(temporal.address, namespace, {});
    const orchestrator = await connected({ namespace });
    await expect(orchestrator.ingest(aBatch())).rejects.toThrow();
  });

  it('rejects, starts nothing, and is not reachable in an unknown namespace', async () => {
    const orchestrator = open({ namespace: `nowhere-${randomUUID()}` });
    const said = () => orchestrator.ingest(aBatch()).then(() => 'started', String);
    await expect.poll(said, ABOUT_TEMPORAL).not.toContain('no connection to Temporal yet');
    expect(await said()).not.toBe('started');
    expect(await orchestrator.isReachable()).toBe(false);
  });
});
