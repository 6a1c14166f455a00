import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect, it } from 'vitest';
import type { Tx } from '../../../db/connection.ts';
import { migrate } from '../../../db/schema/migrate.ts';
import { SERVICE } from '../../../sandbox/postgres/roles.ts';
import { anAlphaConnection, anAlphaEvent, aRule, aTenant } from '../../support/factories.ts';
import { useDatabase, useTemporal } from '../../support/fixtures.ts';
import { startIssuer } from '../../support/people/issuer.ts';
import { tokenFor } from '../../support/people/tokens.ts';
import { createProcesses, SIGNATURE_KEY } from '../../support/processes.ts';
import { eventRows } from '../../support/providers/events.ts';

const FOLDERS = ['../../../migrations/', '../../support/database/next-migrations/'];
const NEXT = [
  '9001_event_notes',
  '9002_short_notes',
  '9003_validated_notes',
  '9004_events_by_note',
  '9005_note_authors',
  '9006_foreign_keys_of_authors',
];
const OLD_EVENTS = 20_000;
const STATEMENT_TIMEOUT_MS = 15_000;
/** What has to be ended after a test, also when it fails. */
const ends: Array<() => Promise<unknown>> = [];
const database = await useDatabase();
const { db } = database;
const temporal = await useTemporal();
const issuer = await startIssuer();
const processes = await createProcesses({
  databaseUrl: database.url,
  temporalAddress: temporal.address,
  namespace: temporal.namespace,
  issuer: issuer.url,
  env: { RATE_LIMIT_WEBHOOKS: '0', RATE_LIMIT_READS: '0', LOG_LEVEL: 'info' },
});
await processes.start('api');
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(async () => {
  await processes.close();
  await issuer.close();
});

type Seen = { status: number; ms: number };

/** Sends requests one after another, from three sides at once, until it is stopped. */
function traffic(ask: () => Promise<Response>) {
  const seen: Seen[] = [];
  let isOver = false;
  const side = async () => {
    while (!isOver) {
      const begun = performance.now();
      const answer = await ask();
      await answer.arrayBuffer();
      seen.push({ status: answer.status, ms: performance.now() - begun });
      await sleep(5);
    }
  };
  const sides = Promise.all([side(), side(), side()]);
  const stop = async () => {
    isOver = true;
    await sides;
  };
  ends.push(stop);
  return { seen, stop };
}

function webhooks(merchantId: string) {
  const url = `${processes.apiUrl}/api/v1/webhooks/alpha`;
  return traffic(() => {
    const body = anAlphaEvent(merchantId);
    const signature = createHmac('sha256', SIGNATURE_KEY).update(url).update(body);
    return fetch(url, {
      method: 'POST',
      headers: { 'x-alpha-hmacsha256-signature': signature.digest('base64') },
      body: new Uint8Array(body),
    });
  });
}

/** Opens a transaction that has used the tables, and leaves it open. */
async function lingering(statements: readonly string[]): Promise<Tx> {
  const tx = await db.transaction({ isolationLevel: 'repeatable read' });
  ends.push(async () => tx.isCompleted() || (await tx.rollback()));
  for (const statement of statements) await tx.raw(statement);
  return tx;
}

it('answers every request while the next migrations run, and loses no event it took', async () => {
  const merchantId = `M-${randomUUID()}`;
  const tenantId = await aTenant(db);
  await anAlphaConnection(db, { tenantId, merchantId });
  await aRule(db, tenantId);
  await db.raw(
    `insert into pending_events (id, provider, tenant_id, merchant_id, event_type, correlation_id)
     select gen_random_uuid(), 'alpha', :tenantId, 'old', 'payment.updated', 'old'
     from generate_series(1, :count)`,
    { tenantId, count: OLD_EVENTS },
  );
  const token = await tokenFor(db, issuer, { role: 'client', member: tenantId });
  const path = `/api/v1/client/tenants/${tenantId}/transactions`;
  const headers = { authorization: `Bearer ${token}` };
  const delivered = webhooks(merchantId);
  const read = traffic(() => fetch(processes.apiUrl + path, { headers }));
  const answered = () => Math.min(delivered.seen.length, read.seen.length);
  await expect.poll(answered, { timeout: 10_000 }).toBeGreaterThan(20);

  const lingerer = await lingering([
    'select count(*) from pending_events',
    'update users set updated_at = updated_at',
  ]);
  const told: string[] = [];
  const migrating = migrate(database.owner, {
    serviceRole: SERVICE,
    folders: FOLDERS.map((folder) => new URL(folder, import.meta.url)),
    tell: (line) => told.push(line),
  });
  ends.unshift(() => migrating);
  const retries = () => told.filter((line) => line.startsWith('Could not get a lock')).length;
  await expect.poll(retries, { timeout: 10_000 }).toBeGreaterThan(2);
  const before = answered();
  await expect.poll(answered, { timeout: 10_000 }).toBeGreaterThan(before + 20);
  await lingerer.rollback();

  expect(await migrating).toEqual(NEXT);
  const afterwards = answered();
  await expect.poll(answered, { timeout: 10_000 }).toBeGreaterThan(afterwards + 20);
  await Promise.all([delivered.stop(), read.stop()]);

  expect(told.join('\n')).toMatch(/Waiting for loyalty-test.*holds .*pending_events/);
  const all = [...delivered.seen, ...read.seen];
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
  expect(Math.max(...all.map(({ ms }) => ms))).toBeLessThan(STATEMENT_TIMEOUT_MS);
  expect(await eventRows(db).where({ merchantId })).toHaveLength(delivered.seen.length);
  // The service may use the new table, and the index is valid.
  expect(await db('note_authors')).toEqual([]);
  const { rows } = await db.raw<{ rows: unknown[] }>('select from pg_index where not indisvalid');
  expect(rows).toEqual([]);
}, 120_000);
