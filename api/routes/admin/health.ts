import { z } from 'zod';
import type { Db } from '../../../db/connection.ts';
import { DUE_KINDS, overdue } from '../../../db/due-work.ts';
import { readVerificationFigures } from '../../../db/ledger/verification/parts.ts';
import { longestWait } from '../../../db/outgoing/backlog.ts';
import * as serviceHealth from '../../../db/service-health.ts';
import { readEvents } from '../../../db/service-metrics.ts';
import { agedBackups, BACKUP_KINDS } from '../../../domain/backups.ts';
import { EndpointId, TenantId } from '../../../domain/ids.ts';
import { PROVIDERS } from '../../../domain/payment.ts';
import { route } from '../../http/route.ts';

const Seconds = z.number().describe('In seconds; 0 when there is none.');
const SinceLast = z.number().nullable().describe('In seconds; null before the first time.');

const AilingConnection = z
  .object({
    tenantId: TenantId,
    tenantName: z.string().describe('Its name.'),
    posType: z.enum(PROVIDERS),
    since: z.iso.datetime().describe('Since when, as the list says.'),
  })
  .meta({ id: 'AilingConnection' });

const ServiceHealth = z
  .object({
    postgres: z.boolean().describe('Whether Postgres can be reached.'),
    temporal: z.boolean().describe('Whether Temporal can be reached.'),
    connections: z.object({
      lost: z.array(AilingConnection).describe('Those that no longer let us in.'),
      away: z
        .array(AilingConnection)
        .describe('Those whose provider did not answer when it was asked last, at `since`.'),
      unpolled: z
        .array(AilingConnection)
        .describe('Those that were last polled at `since`, more than 150 minutes ago.'),
    }),
    events: z
      .object({
        pending: z.int().describe('Stored events that are not ingested yet.'),
        oldestPendingSeconds: Seconds,
        poisoned: z.int().describe('Those of them that failed five times or more.'),
        givenUp: z
          .int()
          .describe('Those that are older than seven days and are no longer retried.'),
      })
      .describe('What providers have sent.'),
    overdueWork: z
      .array(
        z.object({ kind: z.enum(DUE_KINDS).describe('What has to be done.'), seconds: Seconds }),
      )
      .describe('For how long the longest due work of each kind has been due, if any is.'),
    webhooks: z
      .object({
        waitSeconds: Seconds.describe(
          'For how long an event has waited to be sent to an endpoint that answers, in seconds.',
        ),
        failing: z
          .array(
            z.object({
              endpointId: EndpointId,
              tenantId: TenantId,
              tenantName: z.string().describe('Its name.'),
              isDisabled: z.boolean().describe('Whether nothing is sent there any more.'),
              since: z.iso.datetime().describe('When a delivery failed first.'),
            }),
          )
          .describe('Endpoints whose deliveries fail.'),
      })
      .describe('What is sent to merchants.'),
    jobs: z
      .object({
        maintenanceSeconds: SinceLast,
        statementsSeconds: SinceLast,
      })
      .describe('When the daily jobs ended last.'),
    backups: z
      .object({
        logSeconds: z.number().describe('How old the newest stored change is, in seconds.'),
        copySeconds: z.number().describe('How old the full copy is, in seconds.'),
        checkSeconds: z
          .number()
          .describe('How long ago a copy was restored and verified, in seconds.'),
        aged: z.array(z.enum(BACKUP_KINDS)).describe('What is older than it may be.'),
      })
      .nullable()
      .describe('The backups; null where whatever makes them tells the database of none.'),
    ledger: z
      .object({
        verifiedSeconds: SinceLast.describe(
          'Since what moved was last verified, in seconds; null before the first verification.',
        ),
        problems: z
          .int()
          .describe('Rows that were found wrong and not right since; 1,000 at most.'),
      })
      .describe('What the verification of the ledger says.'),
  })
  .meta({ id: 'ServiceHealth' });

const example: z.input<typeof ServiceHealth> = {
  postgres: true,
  temporal: true,
  connections: {
    lost: [
      {
        tenantId: '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42',
        tenantName: 'Corner Café',
        posType: PROVIDERS[0],
        since: '2026-01-15T10:00:02.000Z',
      },
    ],
    away: [],
    unpolled: [],
  },
  events: { pending: 3, oldestPendingSeconds: 1.5, poisoned: 0, givenUp: 0 },
  overdueWork: [],
  webhooks: { waitSeconds: 0, failing: [] },
  jobs: { maintenanceSeconds: 1200, statementsSeconds: 1500 },
  backups: { logSeconds: 42, copySeconds: 30_000, checkSeconds: 250_000, aged: [] },
  ledger: { verifiedSeconds: 40_000, problems: 0 },
};

export const showServiceHealth = route({
  method: 'GET',
  path: '/admin/health',
  access: 'ADMIN_TENANTS_VIEW_ALL',
  tag: 'Admin',
  summary: 'Show what is wrong with the service, and at which tenants',
  description: `At most ${serviceHealth.MOST_NAMED} tenants are named of each kind.`,
  response: ServiceHealth,
  examples: { response: example },

  async handle({ db, readiness }) {
    const { pendingEvents, oldestPendingSeconds, poisonedEvents, givenUpEvents, ...jobs } =
      await readEvents(db);
    const { maintenanceSeconds, statementsSeconds, backupSeconds } = jobs;
    const secondsOf = await overdue(db);
    const work = DUE_KINDS.map((kind) => ({ kind, seconds: secondsOf[kind] }));
    const { movementSeconds } = await readVerificationFigures(db);
    return {
      ...(await readiness.check()),
      connections: await connectionsOf(db),
      events: {
        pending: pendingEvents,
        oldestPendingSeconds,
        poisoned: poisonedEvents,
        givenUp: givenUpEvents,
      },
      overdueWork: work.filter(({ seconds }) => seconds > 0),
      webhooks: {
        waitSeconds: await longestWait(db),
        failing: (await serviceHealth.listFailingEndpoints(db)).map(withTime),
      },
      jobs: { maintenanceSeconds, statementsSeconds },
      backups: backupSeconds && {
        logSeconds: backupSeconds.log,
        copySeconds: backupSeconds.copy,
        checkSeconds: backupSeconds.check,
        aged: agedBackups(backupSeconds),
      },
      ledger: {
        verifiedSeconds: movementSeconds,
        problems: await serviceHealth.countLedgerProblems(db),
      },
    };
  },
});

async function connectionsOf(db: Db) {
  const shown = ({ provider, ...connection }: serviceHealth.AilingConnection) =>
    withTime({ ...connection, posType: provider });
  return {
    lost: (await serviceHealth.listLost(db)).map(shown),
    away: (await serviceHealth.listAway(db)).map(shown),
    unpolled: (await serviceHealth.listUnpolled(db)).map(shown),
  };
}

function withTime<Of extends { since: Date }>(row: Of) {
  return { ...row, since: row.since.toISOString() };
}
