import { describe, expect, it } from 'vitest';
import { AttemptId, ConnectionId, EventId, InviteId, TenantId } from '../../domain/ids.ts';
import { CONNECTION_ID, PROVIDER, TENANT_IDS } from '../../workflows/search-attributes.ts';
import {
  clientStart,
  ingestStart,
  inviteMailStart,
  oauthExchangeStart,
  pollStart,
  reconcileStart,
  statementsStart,
  sweepStart,
  sweptIngestStart,
  verifyStart,
} from '../../workflows/starts.ts';

const ID = '7c7cf5ac-9d0b-4f0d-8f51-7f5b6f0c9d01';
const TENANT = 'a1f4c1d2-3b4e-4a5b-9c6d-0e1f2a3b4c5d';
const tenantId = TenantId.parse(TENANT);
const batch = {
  provider: 'alpha',
  eventIds: [EventId.parse(ID), EventId.parse(TENANT)],
  tenantIds: [tenantId],
} as const;
const events = { ...batch, eventIds: [...batch.eventIds] };

const tenant = { key: TENANT_IDS, value: [TENANT] };
const provider = { key: PROVIDER, value: 'alpha' };
const connection = { key: CONNECTION_ID, value: ID };

describe('every start', () => {
  it.each([
    {
      what: 'ingest',
      start: () => ingestStart(events),
      expected: {
        workflowType: 'ingestEvents',
        workflowId: `ingest/alpha/${ID}`,
        args: [[ID, TENANT], 'alpha'],
        workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
        workflowExecutionTimeout: '2 hours',
        workflowTaskTimeout: '2 seconds',
        staticSummary: 'alpha ingest, 2 events',
      },
      attributes: [tenant, provider],
    },
    {
      what: 'ingest by a sweep',
      start: () =>
        sweptIngestStart({ ...events, eventIds: [EventId.parse(ID)] }, { runId: 'run', nth: 3 }),
      expected: {
        workflowType: 'ingestEvents',
        workflowId: 'ingest/alpha/sweep/run/3',
        args: [[ID], 'alpha'],
        workflowExecutionTimeout: '30 minutes',
        workflowTaskTimeout: '2 seconds',
        staticSummary: 'alpha ingest, 1 event, swept',
      },
      attributes: [tenant, provider],
    },
    {
      what: 'invite mail',
      start: () => inviteMailStart({ id: InviteId.parse(ID), tenantId }),
      expected: {
        workflowType: 'notify',
        workflowId: `notify/invite/${ID}`,
        args: [ID],
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        workflowExecutionTimeout: '2 days',
        priority: { fairnessKey: TENANT },
        staticSummary: 'Invite: sends the mail',
      },
      attributes: [tenant],
    },
    {
      what: 'OAuth exchange',
      start: () =>
        oauthExchangeStart({
          id: AttemptId.parse(ID),
          provider: 'alpha',
          tenantId,
          connectionId: ConnectionId.parse(ID),
        }),
      expected: {
        workflowType: 'exchangeOAuthCode',
        workflowId: `oauth/alpha/${ID}`,
        args: ['alpha', ID],
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        workflowExecutionTimeout: '2 minutes',
        priority: { priorityKey: 1, fairnessKey: TENANT },
        staticSummary: 'alpha connect: exchanges the code for tokens',
      },
      attributes: [tenant, provider, connection],
    },
    {
      what: 'poll',
      start: () =>
        pollStart({
          id: ConnectionId.parse(ID),
          tenantId,
          provider: 'alpha',
        }),
      expected: {
        workflowType: 'pollConnection',
        workflowId: `poll/${ID}`,
        args: [ID],
        priority: { priorityKey: 5, fairnessKey: TENANT },
        workflowExecutionTimeout: '1 hour',
        staticSummary: 'alpha poll: ingests what was sold since the last one',
      },
      attributes: [tenant, provider, connection],
    },
  ])('$what: names its run, its policies and its attributes', ({ start, expected, attributes }) => {
    expect(start()).toEqual({ ...expected, typedSearchAttributes: attributes });
  });

  it.each([
    {
      start: sweepStart(),
      expected: {
        workflowType: 'sweepPendingEvents',
        workflowId: 'sweep/pending',
        workflowExecutionTimeout: '1 hour',
        args: [],
        priority: { priorityKey: 5 },
      },
    },
    {
      start: reconcileStart(),
      expected: {
        workflowType: 'reconcile',
        workflowId: 'reconcile',
        workflowExecutionTimeout: '15 minutes',
        priority: { priorityKey: 5 },
        args: [],
      },
    },
    {
      start: verifyStart(),
      expected: {
        workflowType: 'verifyLedger',
        workflowId: 'verify/ledger',
        workflowExecutionTimeout: '12 hours',
        priority: { priorityKey: 5 },
        args: [],
      },
    },
    {
      start: statementsStart(),
      expected: {
        workflowType: 'signStatements',
        workflowId: 'statements',
        workflowExecutionTimeout: '1 hour',
        priority: { priorityKey: 5 },
        args: [],
      },
    },
  ])('$expected.workflowType: has a fixed id', ({ start, expected }) => {
    const { staticSummary, ...others } = start;
    expect(others).toEqual(expected);
    expect(staticSummary).toMatch(/\w/);
  });
});

describe('clientStart', () => {
  it('uses the run that is already there, and records the correlation ids', () => {
    expect(clientStart(verifyStart(), ['request-1'])).toEqual({
      ...verifyStart(),
      taskQueue: 'loyalty',
      workflowIdConflictPolicy: 'USE_EXISTING',
      memo: { correlationIds: ['request-1'] },
    });
  });
});
