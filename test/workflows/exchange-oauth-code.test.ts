import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ActivityDeps } from '../../activities/index.ts';
import type { StoredAttempt } from '../../api/temporal/oauth-exchange.ts';
import { createOrchestrator } from '../../api/temporal/orchestrator.ts';
import * as oauthAttempts from '../../db/connections/oauth-attempts.ts';
import { CORRELATION_HEADER } from '../../domain/correlation.ts';
import { AttemptId, type ConnectionId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import { type Grant, InvalidGrant } from '../../gateways/providers/shared/oauth.ts';
import { createLogger } from '../../gateways/telemetry/logger.ts';
import { exchangeOAuthCode } from '../../workflows/exchange-oauth-code.ts';
import { oauthWorkflowId, TASK_QUEUE } from '../../workflows/ids.ts';
import { aTenant, aUser, testSealer } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { unconfiguredOAuth } from '../support/providers/oauth.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';
import { payloadsOf } from '../support/temporal/test-temporal.ts';
import { expectDocumentedActions } from './actions.ts';

const database = await useDatabase();
const { db } = database;
const temporal = await useTemporal();
const orchestrator = createOrchestrator({
  temporal: { address: temporal.address, tls: false },
  namespace: temporal.namespace,
  log: createLogger({ level: 'silent', service: 'test' }),
});
await vi.waitUntil(() => orchestrator.isReachable(), { timeout: 20_000 });
afterAll(() => orchestrator.close());

const SECRETS = { code: 'very-secret-code', access: 'very-secret-access', refresh: 'very-refresh' };
let codes: string[];
let polled: { id: ConnectionId; isTriggered: boolean | undefined }[];
let failures: Error[];
let pollFailures: Error[];
let merchantId: string;
beforeEach(() => {
  [codes, polled, failures, pollFailures] = [[], [], [], []];
  merchantId = `MERCHANT_${randomUUID()}`;
});

async function exchange(code: string): Promise<Grant> {
  codes.push(code);
  const failure = failures.shift();
  if (failure !== undefined) throw failure;
  return {
    accessToken: SECRETS.access,
    refreshToken: SECRETS.refresh,
    expiresAt: null,
    merchantId,
  };
}

const deps = (): ActivityDeps => {
  const made = activityDeps(db, {
    oauth: {
      alpha: { ...unconfiguredOAuth.alpha, exchange },
      beta: { ...unconfiguredOAuth.beta, exchange },
    },
    alpha: { findMerchant: async () => ({ name: 'Café', currency: 'USD' }) },
    beta: { findMerchant: async () => ({ id: merchantId, name: 'Café', currency: 'USD' }) },
  });
  return {
    ...made,
    pollSchedules: {
      ...made.pollSchedules,
      async ensure({ id }, options) {
        const failure = pollFailures.shift();
        if (failure !== undefined) throw failure;
        polled.push({ id, isTriggered: options?.trigger });
      },
    },
  };
};

async function anAttempt(provider: Provider = 'alpha'): Promise<StoredAttempt> {
  const tenantId = await aTenant(db);
  const id = AttemptId.parse(randomUUID());
  const field = 'authorization_code';
  const sealedCode = testSealer.seal(SECRETS.code, { tenantId, provider, field });
  const startedBy = {
    userId: await aUser(db),
    correlationId: 'the-request',
    requestId: randomUUID(),
  };
  const connectionId = await db.transaction((tx) =>
    oauthAttempts.insert(tx, {
      id,
      tenantId,
      provider,
      claimedMerchantId: null,
      sealedCode,
      startedBy,
    }),
  );
  return { id, tenantId, provider, connectionId, correlationId: 'the-request' };
}

const working = <T>(work: () => Promise<T>) => temporal.withWorker(deps(), work);
const handleOf = ({ provider, id }: StoredAttempt) =>
  temporal.client.workflow.getHandle<typeof exchangeOAuthCode>(oauthWorkflowId(provider, id));
const statusOf = async ({ id }: StoredAttempt) =>
  (await db('oauth_attempts').where({ id }).first()).status;

/** The run's history, checked to hold no secret and nothing that identifies the merchant. */
async function recorded(attempt: StoredAttempt, name: string): Promise<string> {
  const id = oauthWorkflowId(attempt.provider, attempt.id);
  const history = await temporal.history(id, `exchange-oauth-code.${name}`);
  const { memo, searchAttributes } = await handleOf(attempt).describe();
  const said = [history, payloadsOf(history), JSON.stringify([memo, searchAttributes])].join();
  for (const secret of [...Object.values(SECRETS), merchantId]) expect(said).not.toContain(secret);
  return history;
}

describe('exchangeOAuthCode', () => {
  it('connects, completes the update and starts to poll, with search attributes', async () => {
    const attempt = await anAttempt();
    const { connectionId, tenantId } = attempt;
    const outcome = await working(async () => {
      await orchestrator.exchangeOAuthCode(attempt);
      expect(await statusOf(attempt)).toBe('connected');
      return handleOf(attempt).result();
    });
    expect(outcome).toEqual({ connected: true, connectionId });
    expect(polled).toEqual([{ id: connectionId, isTriggered: true }]);
    expect(codes).toEqual([SECRETS.code]);

    const { searchAttributes, memo, priority, type } = await handleOf(attempt).describe();
    expect(type).toBe('exchangeOAuthCode');
    expect(searchAttributes).toMatchObject({
      TenantIds: [tenantId],
      Provider: ['alpha'],
      ConnectionId: [connectionId],
    });
    expect(memo).toEqual({ correlationIds: ['the-request'], summary: 'The account is connected.' });
    expect(priority).toMatchObject({ priorityKey: 1 });
    const history = await recorded(attempt, 'connected');
    expect(history).toContain(CORRELATION_HEADER);
    expectDocumentedActions('a provider connected', history);
  });

  it('refuses a second run for the same attempt, which exchanges nothing', async () => {
    const attempt = await anAttempt();
    await working(async () => {
      await orchestrator.exchangeOAuthCode(attempt);
      await handleOf(attempt).result();
      await expect(orchestrator.exchangeOAuthCode(attempt)).rejects.toMatchObject({
        name: 'WorkflowExecutionAlreadyStartedError',
      });
    });
    expect(codes).toHaveLength(1);
  });

  it('uses one run for five concurrent starts of the same attempt', async () => {
    const attempt = await anAttempt();
    await working(async () => {
      await Promise.allSettled(
        Array.from({ length: 5 }, () => orchestrator.exchangeOAuthCode(attempt)),
      );
      // Polling starts after the update is answered, and must not reach into the next test.
      await handleOf(attempt).result();
    });
    expect(codes).toHaveLength(1);
    expect(await statusOf(attempt)).toBe('connected');
  });

  it('fails the attempt but not the run when the code is refused, and polls nothing', async () => {
    failures = [new InvalidGrant('The grant was refused: alpha answered 401.')];
    const attempt = await anAttempt();
    const outcome = await working(async () => {
      await orchestrator.exchangeOAuthCode(attempt);
      return handleOf(attempt).result();
    });
    expect(outcome).toEqual({ connected: false, error: 'exchange_failed' });
    expect(polled).toEqual([]);
    await recorded(attempt, 'refused');
  });

  it('connects beta and does not poll it', async () => {
    const attempt = await anAttempt('beta');
    await working(async () => {
      await orchestrator.exchangeOAuthCode(attempt);
      expect(await handleOf(attempt).result()).toMatchObject({ connected: true });
    });
    expect(polled).toEqual([]);
    await recorded(attempt, 'beta');
  });

  it('completes the update before polling has started, which is retried', async () => {
    pollFailures = [new Error('Temporal is busy.')];
    const attempt = await anAttempt();
    await working(async () => {
      await orchestrator.exchangeOAuthCode(attempt);
      expect(await handleOf(attempt).result()).toMatchObject({ connected: true });
    });
    expect(polled).toHaveLength(1);
    await recorded(attempt, 'polling-retried');
  });

  it('fails the attempt on a bug of ours, without revealing the code', async () => {
    failures = [new TypeError('a bug')];
    const attempt = await anAttempt();
    const outcome = await working(async () => {
      await orchestrator.exchangeOAuthCode(attempt);
      return handleOf(attempt).result();
    });
    expect(outcome).toEqual({ connected: false, error: 'exchange_failed' });
    expect(codes).toHaveLength(1);
    await recorded(attempt, 'bug');
  });

  it('asks the provider nothing when the run starts after the attempt has failed', async () => {
    const attempt = await anAttempt();
    const { provider, id } = attempt;
    await temporal.client.workflow.start(exchangeOAuthCode, {
      taskQueue: TASK_QUEUE,
      workflowId: oauthWorkflowId(provider, id),
      args: [provider, id],
    });
    await oauthAttempts.settle(db, id, { otherwise: { error: 'exchange_failed' } });
    const outcome = await working(() => handleOf(attempt).result());
    expect(outcome).toEqual({ connected: false, error: 'exchange_failed' });
    expect(codes).toEqual([]);
    await recorded(attempt, 'too-late');
  });
});

it('rejects at once while Temporal is unreachable', async () => {
  const alone = createOrchestrator({
    temporal: { address: '127.0.0.1:9', tls: false },
    namespace: temporal.namespace,
    log: createLogger({ level: 'silent', service: 'test' }),
  });
  const attempt = alone.exchangeOAuthCode(await anAttempt());
  await expect(attempt).rejects.toThrow('no connection to Temporal yet');
  await alone.close();
});
