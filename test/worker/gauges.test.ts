import { describe, expect, it } from 'vitest';
import { connect } from '../../db/connection.ts';
import { countByProvider } from '../../db/connections/counts.ts';
import { verifyPhases } from '../../db/ledger/verification/run.ts';
import { NOTHING_VERIFIED } from '../../domain/ledger-report.ts';
import { createMetrics } from '../../gateways/telemetry/metrics.ts';
import { watchWorker } from '../../worker/gauges.ts';
import {
  anAlphaConnection,
  anAlphaEvent,
  aTenant,
  aWallet,
  storedEvents,
} from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { sampleOf } from '../support/metric-text.ts';

const database = await useDatabase();
const tenantId = await aTenant(database.db);
await anAlphaConnection(database.db, { tenantId, merchantId: 'M-1' });
await storedEvents(database.db, 'M-1', [anAlphaEvent('M-1')]);

describe('watchWorker', () => {
  it('exposes the state of the tables, read once for many scrapes', async () => {
    const statements: string[] = [];
    // Only the first call ever counts the connections themselves.
    await countByProvider(database.db);
    const db = connect(database.url, 2, 'loyalty-test-gauges');
    db.on('query', ({ sql }: { sql: string }) => statements.push(sql));
    const metrics = createMetrics('worker');
    watchWorker(metrics, db);
    const [text] = await Promise.all([metrics.metrics(), metrics.metrics(), metrics.metrics()]);
    await metrics.metrics();
    await db.destroy();
    expect(sampleOf(text, 'loyalty_events_pending')).toBe(1);
    expect(sampleOf(text, 'loyalty_events_poisoned')).toBe(0);
    expect(sampleOf(text, 'loyalty_connections_active', { provider: 'alpha' })).toBe(1);
    expect(sampleOf(text, 'loyalty_connections_reconnect', { provider: 'beta' })).toBe(0);
    expect(sampleOf(text, 'loyalty_backup_age_seconds', { kind: 'log' })).toBeUndefined();
    // One each for the events, the connections, due work, the verification and the deliveries.
    expect(statements).toHaveLength(5);
  });

  it('exposes how old the backups are, once the database is told of one', async () => {
    await database.db.raw(`select record_backup('log', now() - interval '40 seconds')`);
    await database.db.raw(`select record_backup('copy', now() - interval '5 hours')`);
    const metrics = createMetrics('worker');
    watchWorker(metrics, database.db);
    const text = await metrics.metrics();
    const age = (kind: string) =>
      Math.round((sampleOf(text, 'loyalty_backup_age_seconds', { kind }) ?? 0) / 60);
    // The check is expected from the first word on.
    expect([age('log'), age('copy'), age('check')]).toEqual([1, 300, 1]);
  });

  it('leaves out what Postgres cannot answer, and exposes the rest', async () => {
    const nowhere = connect('postgres://127.0.0.1:9/none', 1, 'loyalty-test-nowhere');
    const metrics = createMetrics('worker');
    watchWorker(metrics, nowhere);
    const text = await metrics.metrics();
    await nowhere.destroy();
    expect(sampleOf(text, 'loyalty_events_pending')).toBeUndefined();
    expect(sampleOf(text, 'loyalty_connections_active', { provider: 'alpha' })).toBeUndefined();
    expect(sampleOf(text, 'loyalty_db_pool_connections_max')).toBe(1);
  });

  it('exposes the last verification that it finished, and none before', async () => {
    const metrics = createMetrics('worker');
    const { ledgerVerified } = watchWorker(metrics, database.db);
    const violations = async () =>
      sampleOf(await metrics.metrics(), 'loyalty_ledger_audit_violations');
    expect(await violations()).toBeUndefined();
    const before = Math.floor(Date.now() / 1000);
    ledgerVerified({ ...NOTHING_VERIFIED, violations: 2, first: [] });
    expect(await violations()).toBe(2);
    const at = sampleOf(await metrics.metrics(), 'loyalty_ledger_audit_timestamp_seconds');
    expect(at).toBeGreaterThanOrEqual(before);
    ledgerVerified({ ...NOTHING_VERIFIED, violations: 0, first: [] });
    expect(await violations()).toBe(0);
  });
});

describe('the verification', () => {
  it('is exposed by how much is verified how recently, and not before the first', async () => {
    const read = async () => {
      const metrics = createMetrics('worker');
      watchWorker(metrics, database.db);
      const text = await metrics.metrics();
      return (name: string) => sampleOf(text, `loyalty_ledger_${name}`);
    };
    const unknown = await read();
    expect(unknown('oldest_part_seconds')).toBeUndefined();
    expect(unknown('movement_seconds')).toBeUndefined();
    await aWallet(database.db, { balance: 3 });
    await verifyPhases(database.db);
    const known = await read();
    expect(known('verified_share')).toBe(1);
    expect(known('oldest_part_seconds')).toBeLessThan(60);
    expect(known('movement_seconds')).toBeLessThan(60);
    const long = { verifiedAt: database.db.raw(`now() - interval '32 days'`) };
    await database.db('ledger_parts').where({ walk: 'wallets' }).update(long);
    const late = await read();
    expect(late('verified_share')).toBeLessThan(1);
    expect(late('oldest_part_seconds')).toBeGreaterThan(32 * 86_400 - 1);
  });
});

describe('the pool', () => {
  it('is exposed with its used connections and waiting queries', async () => {
    const db = connect(database.url, 1, 'loyalty-test-pool');
    const metrics = createMetrics('worker');
    watchWorker(metrics, db);
    const used = (text: string) => sampleOf(text, 'loyalty_db_pool_connections', { state: 'used' });
    const tx = await db.transaction();
    const waits = db.raw('select 1').then(() => undefined);
    // Reading the tables waits for the connection too, and times out.
    const text = await metrics.metrics();
    expect(used(text)).toBe(1);
    expect(sampleOf(text, 'loyalty_db_pool_waiting')).toBeGreaterThanOrEqual(1);
    await tx.rollback();
    await waits;
    await db.destroy();
  });
});
