import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { replayRuns } from '../../../ops/replay-runs.ts';
import { workflowBundle } from '../../../worker/bundle.ts';
import {
  anAlphaConnection,
  anAlphaEvent,
  aRule,
  aTenant,
  aUser,
  required,
} from '../../support/factories.ts';
import { useDatabase, useTemporal } from '../../support/fixtures.ts';
import { renderTrace, startCollector } from '../../support/http/collector.ts';
import { createProcesses, SIGNATURE_KEY } from '../../support/processes.ts';

const { url: databaseUrl, db } = await useDatabase();
const temporal = await useTemporal();
const collector = await startCollector();
const processes = await createProcesses({
  databaseUrl,
  temporalAddress: temporal.address,
  namespace: temporal.namespace,
  env: {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    LOG_LEVEL: 'info',
  },
});
afterAll(async () => {
  await processes.close();
  await collector.close();
});

const merchantId = `M-${randomUUID()}`;
const email = `${randomUUID()}@example.com`;
const traceId = '0af7651916cd43dd8448eb211c80319c';
const caller = `00-${traceId}-b7ad6b7169203331-01`;

async function sell(paymentId: string, headers: Record<string, string> = {}): Promise<void> {
  const url = `${processes.apiUrl}/api/v1/webhooks/alpha`;
  const body = anAlphaEvent(merchantId, { id: paymentId, email, amount: 500 });
  const signature = createHmac('sha256', SIGNATURE_KEY).update(url).update(body).digest('base64');
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'x-alpha-hmacsha256-signature': signature,
      'content-type': 'application/json',
      ...headers,
    },
    body: new Uint8Array(body),
  });
  expect(response.status).toBe(200);
}

const spansOf = (id: string) => collector.spans.filter((span) => span.trace_id === id);

describe('a traced sale', () => {
  it('is one trace from the webhook to the ledger entry', async () => {
    const tenantId = await aTenant(db);
    await anAlphaConnection(db, { tenantId, merchantId });
    await aRule(db, tenantId);
    await aUser(db, { email });
    await processes.start('api');
    await processes.start('worker');

    await sell('PAY_1', { traceparent: caller, 'x-correlation-id': 'the-sale' });
    const tree = () => renderTrace(spansOf(traceId));
    await expect
      .poll(tree, { timeout: 60_000 })
      .toEqual([
        'POST /api/v1/webhooks/alpha (loyalty-api)',
        '  WITH webhook-events-insert (loyalty-api)',
        '  StartWorkflow:ingestEvents (loyalty-api)',
        '    RunWorkflow:ingestEvents (loyalty-worker)',
        '      RunActivity:ingestEvents (loyalty-worker)',
        '        BEGIN (loyalty-worker)',
        '        SELECT webhook-events-hold (loyalty-worker)',
        '        SELECT ingestion-facts (loyalty-worker)',
        '        INSERT (loyalty-worker)',
        '        WITH ingestion-write (loyalty-worker)',
        '        COMMIT (loyalty-worker)',
      ]);
    for (const span of spansOf(traceId)) {
      expect(span.status.code, span.name).toBe(0);
    }
    const [entry] = await db('ledger_entries').select('points');
    expect(required(entry).points).toBe(500);
  }, 120_000);

  it('is linked to by the run of the batch that it was ingested with', async () => {
    const ids = Array.from({ length: 40 }, () => randomUUID().replaceAll('-', ''));
    await Promise.all(
      ids.map((id, nth) => sell(`PAY_B${nth}`, { traceparent: `00-${id}-b7ad6b7169203331-01` })),
    );
    const reached = () => {
      const starts = collector.spans.filter(({ name }) => name === 'StartWorkflow:ingestEvents');
      return new Set(starts.flatMap((span) => [span, ...span.links].map((each) => each.trace_id)));
    };
    await expect
      .poll(() => ids.filter((id) => !reached().has(id)), { timeout: 60_000 })
      .toEqual([]);
  });

  it('has runs that replay like any other', async () => {
    const scope = { workflow: 'ingestEvents', limit: 50 };
    const { types, failures } = await replayRuns(temporal.client, await workflowBundle(), scope);
    expect(failures).toEqual([]);
    expect(types[0]?.closed).toBeGreaterThan(0);
  });

  it('holds neither a contact nor a provider’s id of the payment', () => {
    const text = collector.text();
    expect(text).toContain('the-sale');
    for (const secret of [email, 'PAY_1', merchantId]) {
      expect(text).not.toContain(secret);
    }
  });
});
