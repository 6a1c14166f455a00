import type { Db } from '../db/connection.ts';
import * as unusual from '../db/tenants/unusual.ts';
import { unusualMovementsMail } from '../domain/texts/unusual-mail.ts';
import type { Mailer } from '../gateways/mail/mailer.ts';
import type { Metrics } from '../gateways/telemetry/metrics.ts';
import { type DueWorker, type Outcome, tasksOf } from './due-work/worker.ts';
import { sendToEach } from './notices.ts';

export type UnusualNoticeDeps = {
  db: Db;
  mailer: Mailer;
  metrics: Pick<Metrics, 'unusualConsumersFound'>;
};

/** Looks for consumers who move points more often than is usual. */
export function createUnusualMovementActivities({ db }: { db: Db }) {
  return {
    /**
     * Makes mails to owners due whose consumers may have moved points more often than is usual, and
     * returns how many. Owners who were told in the last 24 hours are left out.
     */
    async noteUnusualMovements(): Promise<number> {
      return unusual.noteTenants(db);
    },
  };
}

/** Mails the owners, at most once in 24 hours. Run twice, each mail has the same id. */
export function tellOfUnusual(deps: UnusualNoticeDeps): DueWorker<'tell_of_unusual'> {
  return {
    kind: 'tell_of_unusual',
    batch: 20,
    atOnce: 1,
    backOff: { firstSeconds: 300, longestSeconds: 300 },
    prepare: (items) =>
      tasksOf(
        items,
        (ids) => unusual.findNotices(deps.db, ids),
        (notice) => tellOwners(deps, notice),
      ),
  };
}

async function tellOwners(
  { db, mailer, metrics }: UnusualNoticeDeps,
  { id, day, owners, tenantName }: unusual.UnusualNotice,
): Promise<Outcome> {
  const people = await unusual.countUnusual(db, id);
  if (people === 0) return 'done';
  const sent = await sendToEach(mailer, owners, {
    messagePrefix: `unusual-movements-${id}-${day}`,
    contentFor: ({ language }) => unusualMovementsMail({ tenantName, people, language }),
  });
  if (sent === 'later') return 'later';
  await unusual.recordTold(db, id);
  metrics.unusualConsumersFound(people);
  return 'done';
}
