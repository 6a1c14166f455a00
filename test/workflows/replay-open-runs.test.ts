import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { WithStartWorkflowOperation } from '@temporalio/client';
import { bundleWorkflowCode, Worker } from '@temporalio/worker';
import { describe, expect, it } from 'vitest';
import type { BatchProgress, PollResult } from '../../activities/index.ts';
import {
  AttemptId,
  ConnectionId,
  EventId,
  InviteId,
  RedemptionId,
  RehearsalId,
  TenantId,
} from '../../domain/ids.ts';
import { NO_COUNTS } from '../../domain/ingest-counts.ts';
import { BUNDLE_OPTIONS } from '../../worker/bundle.ts';
import { deliveryStart } from '../../workflows/delivery-start.ts';
import { erasuresStart } from '../../workflows/erasures-start.ts';
import { expiryStart, noticesStart, watchMonthsStart } from '../../workflows/expiry-start.ts';
import { healingStart } from '../../workflows/healing-start.ts';
import * as workflows from '../../workflows/index.ts';
import { connected } from '../../workflows/messages.ts';
import { redemptionsStart } from '../../workflows/redemption-starts.ts';
import { rehearsalStart } from '../../workflows/rehearsal-start.ts';
import {
  clientStart,
  ingestStart,
  inviteMailStart,
  maintainStart,
  oauthExchangeStart,
  pollStart,
  reconcileStart,
  statementsStart,
  sweepStart,
  verifyStart,
} from '../../workflows/starts.ts';
import { tiersStart, watchNightsStart } from '../../workflows/tiers-start.ts';
import { gapsStart, truthStart, watchDaysStart } from '../../workflows/truth-start.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import {
  hasEvents,
  onStage,
  replays,
  type Stage,
  starting,
  unending,
} from '../support/temporal/staged-runs.ts';

const { db } = await useDatabase();
const temporal = await useTemporal();

const tenantId = TenantId.parse(randomUUID());
const connectionId = ConnectionId.parse(randomUUID());
const redemptionId = () => RedemptionId.parse(randomUUID());
const eventId = () => EventId.parse(randomUUID());
const batch = () => ({
  provider: 'alpha' as const,
  eventIds: [eventId()],
  tenantIds: [tenantId],
});
const once = <Row>(rows: Row[]) => {
  const pages = [rows];
  return async () => pages.shift() ?? [];
};

const IN_AN_HOUR = 3_600_000;
const ISSUED: BatchProgress = {
  open: 1,
  used: 0,
  expired: 0,
  uninformed: 0,
  nextExpiryInMs: IN_AN_HOUR,
  lastExpiryInMs: IN_AN_HOUR,
};
const INTERRUPTED: PollResult = {
  status: 'interrupted',
  payments: 3,
  news: 1,
  pages: 1,
  errors: 0,
  retryAfterMs: IN_AN_HOUR,
};
const polling = (id: ConnectionId) => pollStart({ id, tenantId, provider: 'alpha' });
/** A local activity goes on while its task is renewed. */
const RENEWED_TASK = ['WORKFLOW_TASK_COMPLETED', 'WORKFLOW_TASK_STARTED', 'WORKFLOW_TASK_STARTED'];
const WAITS = ['TIMER_STARTED', 'WORKFLOW_TASK_COMPLETED'];
const ASKS = ['ACTIVITY_TASK_SCHEDULED', 'WORKFLOW_TASK_COMPLETED'];

const attempt = () => ({
  id: AttemptId.parse(randomUUID()),
  provider: 'alpha' as const,
  tenantId,
  connectionId,
});

/** Starts the run of an attempt with the update that the request waits for. */
function exchanging(): Pick<Stage, 'begin' | 'workflowId'> {
  const { workflowType, ...options } = clientStart(oauthExchangeStart(attempt()), ['the-request']);
  const startWorkflowOperation = new WithStartWorkflowOperation(workflowType, options);
  return {
    workflowId: options.workflowId,
    begin: ({ workflow }) =>
      workflow.startUpdateWithStart(connected, {
        waitForStage: 'ACCEPTED',
        startWorkflowOperation,
      }),
  };
}

type StagedRun = Stage & { name: string; shows: readonly string[] };

/** A run that waits to ask its provider again. */
const waiting = (): StagedRun => ({
  name: 'ingest-events.open-waiting',
  ...starting(ingestStart(batch())),
  activities: {
    ingestEvents: async (ids) => ({ counts: NO_COUNTS, needProvider: ids, retryAfterMs: 0 }),
    ingestEventsWithProvider: async (ids) => ({
      counts: NO_COUNTS,
      needProvider: ids,
      retryAfterMs: IN_AN_HOUR,
    }),
  },
  shows: WAITS,
});

/** A run that mails an invite. */
const sending = (): StagedRun => ({
  name: 'notify.open-sending',
  ...starting(inviteMailStart({ id: InviteId.parse(randomUUID()), tenantId })),
  activities: { sendInvite: unending },
  shows: ASKS,
});

/** A run that rehearses a rule. */
const rehearsing = (): StagedRun => ({
  name: 'rehearse-rule.open-deciding',
  ...starting(rehearsalStart({ id: RehearsalId.parse(randomUUID()), tenantId })),
  activities: { rehearse: unending },
  shows: ASKS,
});

const stages: StagedRun[] = [
  rehearsing(),
  {
    name: 'exchange-oauth-code.open-exchanging',
    ...exchanging(),
    activities: { exchangeCode: unending },
    shows: ['WORKFLOW_EXECUTION_UPDATE_ACCEPTED', ...ASKS],
  },
  {
    name: 'exchange-oauth-code.open-polling',
    ...exchanging(),
    activities: {
      exchangeCode: async () => ({ connected: true, connectionId }),
      startPolling: unending,
    },
    shows: ['WORKFLOW_EXECUTION_UPDATE_COMPLETED', 'ACTIVITY_TASK_SCHEDULED', ...ASKS],
  },
  {
    name: 'expire-points.open-taking',
    ...starting(expiryStart({ tenantId, month: '2026-03' })),
    activities: { expirePoints: unending },
    shows: ASKS,
  },
  {
    name: 'tell-expiry.open-telling',
    ...starting(noticesStart({ tenantId, month: '2026-03' })),
    activities: { tellExpiry: unending },
    shows: ASKS,
  },
  {
    name: 'compare-day.open-comparing',
    ...starting(truthStart({ connectionId, tenantId, day: '2026-03-31' })),
    activities: { compareDay: unending },
    shows: ASKS,
  },
  {
    name: 'watch-days.open-listing',
    ...starting(watchDaysStart()),
    activities: { listDueDays: unending },
    shows: ASKS,
  },
  {
    name: 'check-gaps.open-asking',
    ...starting(gapsStart()),
    activities: { checkGaps: unending },
    shows: ASKS,
  },
  {
    name: 'watch-months.open-listing',
    ...starting(watchMonthsStart()),
    activities: { listDueMonths: unending },
    shows: ASKS,
  },
  {
    name: 'watch-nights.open-listing',
    ...starting(watchNightsStart()),
    activities: { listDueNights: unending },
    shows: ASKS,
  },
  {
    name: 'erase-people.open-erasing',
    ...starting(erasuresStart()),
    activities: { eraseDue: unending },
    shows: ASKS,
  },
  {
    name: 'decide-tiers.open-deciding',
    ...starting(tiersStart({ tenantId, day: '2026-03-31' })),
    activities: { decideTiers: unending },
    shows: ASKS,
  },
  {
    name: 'follow-redemptions.open-waiting',
    ...starting(redemptionsStart([{ id: redemptionId(), tenantId }])),
    activities: { followRedemptions: async () => ISSUED, mailCodes: unending },
    shows: ['ACTIVITY_TASK_SCHEDULED', ...WAITS],
  },
  {
    name: 'follow-redemptions.open-first-step',
    ...starting(redemptionsStart([{ id: redemptionId(), tenantId }])),
    activities: { followRedemptions: unending },
    shows: RENEWED_TASK,
  },
  {
    name: 'ingest-events.open-first-step',
    ...starting(ingestStart(batch())),
    activities: { ingestEvents: unending },
    shows: RENEWED_TASK,
  },
  waiting(),
  {
    name: 'ingest-events.open-asking',
    ...starting(ingestStart(batch())),
    activities: {
      ingestEvents: async (ids) => ({ counts: NO_COUNTS, needProvider: ids, retryAfterMs: 0 }),
      ingestEventsWithProvider: unending,
    },
    shows: ASKS,
  },
  {
    name: 'maintain.open-steps',
    ...starting(maintainStart()),
    activities: { deleteOldBodies: unending },
    shows: Array.from({ length: 6 }, () => 'ACTIVITY_TASK_COMPLETED'),
  },
  sending(),
  {
    name: 'poll-connection.open-polling',
    ...starting(polling(connectionId)),
    activities: { pollPayments: unending },
    shows: ASKS,
  },
  {
    name: 'poll-connection.open-waiting',
    ...starting(polling(ConnectionId.parse(randomUUID()))),
    activities: { pollPayments: async () => INTERRUPTED },
    shows: WAITS,
  },
  {
    name: 'deliver-events.open-sending',
    ...starting(deliveryStart(tenantId)),
    activities: { deliverEvents: unending },
    shows: ASKS,
  },
  {
    name: 'deliver-events.open-waiting',
    ...starting(deliveryStart(TenantId.parse(randomUUID()))),
    activities: {
      deliverEvents: async () => ({ delivered: 0, failed: 1, nextInMs: 59_000 }),
    },
    shows: WAITS,
  },
  {
    name: 'keep-healing.open-waiting',
    ...starting(healingStart('reconcile', 3_600)),
    activities: { listDueRepairs: async () => [] },
    shows: ['CHILD_WORKFLOW_EXECUTION_STARTED', ...WAITS],
  },
  {
    name: 'reconcile.open-steps',
    ...starting(reconcileStart()),
    activities: {
      listDueRepairs: async () => ['expire overdue codes', 'start redemption runs'],
      expireOverdueRedemptions: unending,
      listUnfollowedRedemptions: once([{ id: redemptionId(), tenantId }]),
      followRedemptions: unending,
    },
    shows: ['CHILD_WORKFLOW_EXECUTION_STARTED', 'ACTIVITY_TASK_COMPLETED', ...ASKS],
  },
  {
    name: 'sign-statements.open-signing',
    ...starting(statementsStart()),
    activities: { collectMovedWallets: async () => undefined, signStatements: unending },
    shows: ['ACTIVITY_TASK_COMPLETED', 'ACTIVITY_TASK_SCHEDULED', ...ASKS],
  },
  {
    name: 'sweep-pending-events.open-batches',
    ...starting(sweepStart()),
    activities: {
      beginSweep: async () => ({ events: true, probes: true }),
      probeAwayConnections: unending,
      takePendingEvents: once([batch()]),
      ingestEvents: unending,
    },
    shows: ['CHILD_WORKFLOW_EXECUTION_STARTED', ...WAITS, ...ASKS],
  },
  {
    name: 'verify-ledger.open-slice',
    ...starting(verifyStart()),
    activities: { verifyLedgerSlice: unending },
    shows: ASKS,
  },
];

/** Brings a run to its stage, and reads it there. */
const atStage = <T>(stage: StagedRun, read: () => Promise<T>) =>
  onStage({ temporal, db }, stage, async () => {
    await hasEvents(temporal, stage.workflowId, stage.shows);
    return read();
  });

describe('a run that is open', () => {
  it.each(stages)('replays: $name', async (stage) => {
    const history = await atStage(stage, () => temporal.history(stage.workflowId, stage.name));
    expect(history).not.toMatch(/EVENT_TYPE_WORKFLOW_EXECUTION_(COMPLETED|FAILED|TERMINATED)/);
    await replays(history);
  });

  it('is of every workflow', () => {
    const kebab = (name: string) => name.replaceAll(/[A-Z]+/g, (part) => `-${part.toLowerCase()}`);
    const staged = new Set(stages.map(({ name }) => name.split('.')[0]));
    expect([...staged].sort()).toEqual(Object.keys(workflows).map(kebab).sort());
  });
});

describe('a run whose steps are changed', () => {
  const logger = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));
  const otherSteps = () =>
    bundleWorkflowCode({ workflowsPath: pathOf('fixtures/changed-workflows.ts'), logger });
  const otherInterceptors = () =>
    bundleWorkflowCode({
      ...BUNDLE_OPTIONS,
      workflowInterceptorModules: [
        ...BUNDLE_OPTIONS.workflowInterceptorModules,
        pathOf('fixtures/changed-interceptors.ts'),
      ],
      logger,
    });

  it.each([
    { what: 'a timer more', bundle: otherSteps, stage: waiting() },
    { what: 'an activity more', bundle: otherSteps, stage: sending() },
    { what: 'a step of an interceptor', bundle: otherInterceptors, stage: sending() },
  ])('does not replay: $what', async ({ bundle, stage }) => {
    const run = temporal.client.workflow.getHandle(stage.workflowId);
    const history = await atStage(stage, () => run.fetchHistory());
    const replay = Worker.runReplayHistory({ workflowBundle: await bundle() }, history);
    await expect(replay).rejects.toThrow(/Nondeterminism|TMPRL1100/);
  });
});
