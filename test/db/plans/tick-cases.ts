import { createHash } from 'node:crypto';
import { countByProvider } from '../../../db/connections/counts.ts';
import * as oauthAttempts from '../../../db/connections/oauth-attempts.ts';
import * as oauthStates from '../../../db/connections/oauth-states.ts';
import * as pollLeases from '../../../db/connections/poll-leases.ts';
import * as pollPositions from '../../../db/connections/poll-positions.ts';
import * as revocations from '../../../db/connections/revocations.ts';
import * as dueWork from '../../../db/due-work.ts';
import * as dueEvents from '../../../db/events/due-events.ts';
import * as retention from '../../../db/events/retention.ts';
import { assignTenants } from '../../../db/events/unclaimed-events.ts';
import * as waiting from '../../../db/events/waiting.ts';
import * as idempotency from '../../../db/idempotency.ts';
import * as jobRuns from '../../../db/job-runs.ts';
import * as adjusting from '../../../db/ledger/adjusted.ts';
import * as revisions from '../../../db/payments/revisions.ts';
import { deleteExpired } from '../../../db/rate-limits.ts';
import * as serviceHealth from '../../../db/service-health.ts';
import { readEvents, readServiceMetrics } from '../../../db/service-metrics.ts';
import * as rehearsals from '../../../db/tenants/rehearsals.ts';
import * as tenantStatus from '../../../db/tenants/status.ts';
import * as contacts from '../../../db/users/contacts.ts';
import * as inviteMails from '../../../db/users/invite-mails.ts';
import * as operations from '../../../db/users/operations.ts';
import type { ConnectionId, UserId } from '../../../domain/ids.ts';
import { at, type Case, manyOf, tenantId, userId } from './cases.ts';
import { idOf } from './rows.ts';

/** An active connection that is polled. */
const poll = { connectionId: idOf('connection', 2) as ConnectionId, holder: idOf('holder', 1) };
const KIND = 'update_poll_schedule';
const item = { id: poll.connectionId, changedAt: new Date().toISOString(), position: null };

const AILING = [
  ['listLost', serviceHealth.listLost],
  ['listAway', serviceHealth.listAway],
  ['listFailingEndpoints', serviceHealth.listFailingEndpoints],
  ['countLedgerProblems', serviceHealth.countLedgerProblems],
] as const;

/** What sweeps, polls and reconciliations ask at every tick. */
export const TICKS: readonly Case[] = [
  {
    covers: 'events/due-events.isAnyDue',
    rows: 1,
    run: (tx) => dueEvents.isAnyDue(tx),
  },
  {
    covers: 'events/due-events.takePending',
    rows: 500,
    run: (tx) => dueEvents.takePending(tx, { limit: 500 }),
  },
  {
    covers: 'events/due-events.takePending',
    when: 'with nothing left to skip',
    rows: 500,
    run: (tx) => dueEvents.takePending(tx, { limit: 500, quietSeconds: 0 }),
  },
  {
    covers: 'events/due-events.takeBackingOff',
    rows: 200,
    run: (tx) => dueEvents.takeBackingOff(tx, 200),
  },
  {
    covers: 'events/waiting.releaseParked',
    // Takes so many checks, and makes due up to 200 events.
    rows: 500,
    run: (tx) => waiting.releaseParked(tx, 200),
  },
  {
    covers: 'events/waiting.addMissingChecks',
    rows: 200,
    run: (tx) => waiting.addMissingChecks(tx, { after: null, limit: 200 }),
  },
  {
    covers: 'tenants/rehearsals.listOverdue',
    rows: 100,
    run: (tx) => rehearsals.listOverdue(tx, { after: null, limit: 100 }),
  },
  {
    covers: 'tenants/rehearsals.deleteOld',
    rows: 100,
    run: (tx) => rehearsals.deleteOld(tx, 100),
  },
  {
    covers: 'job-runs.expectFromNow',
    rows: 1,
    run: (tx) => jobRuns.expectFromNow(tx, 'maintain'),
  },
  {
    covers: 'job-runs.recordCompleted',
    rows: 1,
    run: (tx) => jobRuns.recordCompleted(tx, 'maintain'),
  },
  {
    covers: 'events/unclaimed-events.assignTenants',
    rows: 200,
    run: (tx) => assignTenants(tx, 200),
  },
  {
    covers: 'events/retention.purgeBodies',
    rows: 500,
    run: (tx) => retention.purgeBodies(tx, 500),
  },
  {
    covers: 'payments/revisions.purgeFingerprints',
    rows: 500,
    run: (tx) => revisions.purgeFingerprints(tx, 500),
  },
  {
    covers: 'connections/oauth-attempts.deleteExpired',
    rows: 500,
    run: (tx) => oauthAttempts.deleteExpired(tx, 500),
  },
  {
    covers: 'connections/oauth-states.deleteExpired',
    rows: 500,
    run: (tx) => oauthStates.deleteExpired(tx, 500),
  },
  {
    covers: 'users/operations.suspend',
    rows: 10,
    unused: ['users_by_part_of_email'],
    run: (tx) => {
      const act = { ...operations.byOps(), adminEmailDomain: () => 'staff.test' };
      return operations.suspend(tx, { email: '999@many.test' }, act);
    },
  },
  {
    covers: 'tenants/status.suspend',
    rows: 100,
    run: (tx) => tenantStatus.suspend(tx, tenantId, operations.byOps()),
  },
  {
    covers: 'tenants/status.reinstate',
    rows: 100,
    // One row.
    scans: ['event_positions'],
    async run(tx) {
      await tenantStatus.suspend(tx, at.tenant, operations.byOps());
      await tenantStatus.reinstate(tx, at.tenant, operations.byOps());
    },
  },
  {
    covers: 'users/operations.requireAnotherAdmin',
    rows: 100,
    run: (tx) => operations.requireAnotherAdmin(tx, [userId], 'staff.test'),
  },
  {
    covers: 'ledger/adjusted.sumAdjusted',
    rows: 100,
    run: (tx) => adjusting.sumAdjusted(tx, userId),
  },
  {
    covers: 'idempotency.deleteExpired',
    rows: 500,
    run: (tx) => idempotency.deleteExpired(tx, 500),
  },
  {
    covers: 'users/invite-mails.deleteOld',
    rows: 500,
    run: (tx) => inviteMails.deleteOld(tx, 500),
  },
  {
    covers: 'rate-limits.deleteExpired',
    // As many as a hundred pages hold.
    rows: 10_000,
    run: (tx) => deleteExpired(tx, { first: 0, pages: 100 }),
  },
  {
    covers: 'users/contacts.findAwaited',
    rows: 100,
    run: (tx) =>
      contacts.findAwaited(
        tx,
        Array.from({ length: 100 }, (_, index) =>
          createHash('sha256').update(String(index)).digest(),
        ),
      ),
  },
  {
    covers: 'connections/revocations.find',
    rows: 50,
    // Looks at every attempt to connect: they are deleted after minutes.
    scans: ['oauth_attempts'],
    skipped: 100_000,
    run: (tx) => revocations.find(tx, manyOf(50, 'connection') as ConnectionId[]),
  },
  {
    covers: 'connections/revocations.isUnderWay',
    when: 'of a record',
    rows: 1,
    run: (tx) => revocations.isUnderWay(tx, { id: at.connection }),
  },
  {
    covers: 'connections/revocations.isUnderWay',
    when: 'of an account',
    rows: 1,
    run: (tx) => revocations.isUnderWay(tx, { provider: 'alpha', merchantId: 'M-1' }),
  },
  ...AILING.map(
    ([name, run]): Case => ({
      covers: `service-health.${name}`,
      rows: serviceHealth.MOST_NAMED,
      // They are few, however many connections there are.
      skipped: 2_000,
      run: (tx) => run(tx),
    }),
  ),
  {
    covers: 'service-health.listUnpolled',
    rows: serviceHealth.MOST_NAMED,
    skipped: 100_000,
    scans: ['connection_polls', 'pos_connections'],
    run: (tx) => serviceHealth.listUnpolled(tx),
  },
  { covers: 'service-metrics.readEvents', rows: 1_000, run: (tx) => readEvents(tx) },
  {
    covers: 'service-metrics.readServiceMetrics',
    // Counts so many events of each kind.
    rows: 1_000,
    scans: ['connection_counts'],
    run: (tx) => readServiceMetrics(tx),
  },
  {
    covers: 'connections/counts.countByProvider',
    rows: 20,
    // As many rows as there were changes at once.
    scans: ['connection_counts'],
    run: (tx) => countByProvider(tx),
  },
  {
    covers: 'connections/poll-leases.takeLease',
    rows: 1,
    run: (tx) => pollLeases.takeLease(tx, poll, 'run'),
  },
  {
    covers: 'connections/poll-leases.renewLease',
    rows: 1,
    run: (tx) => pollLeases.renewLease(tx, poll),
  },
  {
    covers: 'connections/poll-leases.releaseLease',
    rows: 1,
    run: (tx) =>
      pollLeases.releaseLease(tx, poll, { error: null, isComplete: true, coveredPolls: 3 }),
  },
  {
    covers: 'connections/poll-leases.forgetCoverage',
    rows: 1,
    run: (tx) => pollLeases.forgetCoverage(tx, poll.connectionId),
  },
  {
    covers: 'connections/poll-leases.hasEventSince',
    rows: 1,
    run: (tx) => pollLeases.hasEventSince(tx, { tenantId, provider: 'alpha' }, new Date(0)),
  },
  {
    covers: 'connections/poll-positions.save',
    rows: 1,
    run: (tx) =>
      pollPositions.save(tx, poll, {
        locationId: 'L1',
        position: { at: new Date(), paymentId: null, isAtEnd: true },
        watermark: new Date(),
      }),
  },
  {
    covers: 'connections/poll-positions.findPolled',
    rows: 100,
    run: (tx) => pollPositions.findPolled(tx, manyOf(100, 'connection') as ConnectionId[]),
  },
  {
    covers: 'connections/poll-positions.countPolled',
    rows: 20,
    scans: ['connection_counts'],
    run: (tx) => pollPositions.countPolled(tx),
  },
  { covers: 'due-work.take', rows: 100, run: (tx) => dueWork.take(tx, KIND, 100) },
  {
    covers: 'due-work.note',
    rows: 100,
    run: (tx) => dueWork.note(tx, KIND, manyOf(100, 'connection') as ConnectionId[]),
  },
  {
    covers: 'due-work.noteIfMissing',
    rows: 100,
    run: (tx) => dueWork.noteIfMissing(tx, KIND, manyOf(100, 'connection') as ConnectionId[]),
  },
  {
    covers: 'due-work.isNoted',
    rows: 1,
    run: (tx) => dueWork.isNoted(tx, KIND, item.id),
  },
  { covers: 'due-work.finish', rows: 1, run: (tx) => dueWork.finish(tx, KIND, [item]) },
  { covers: 'due-work.giveBack', rows: 1, run: (tx) => dueWork.giveBack(tx, KIND, [item]) },
  {
    covers: 'due-work.putOff',
    rows: 1,
    run: (tx) =>
      dueWork.putOff(tx, KIND, { item, backOff: { firstSeconds: 60, longestSeconds: 60 } }),
  },
  { covers: 'due-work.isAnyDue', rows: 1, run: (tx) => dueWork.isAnyDue(tx) },
  {
    covers: 'due-work.overdue',
    // One row of each kind.
    rows: 6,
    run: (tx) => dueWork.overdue(tx),
  },
  {
    covers: 'users/contacts.find',
    rows: 100,
    run: (tx) => contacts.find(tx, manyOf(100, 'user') as UserId[]),
  },
  {
    covers: 'users/contacts.listPhones',
    rows: 100,
    run: (tx) => contacts.listPhones(tx, { after: null, limit: 100 }),
  },
];
