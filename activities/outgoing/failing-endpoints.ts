import type { Db } from '../../db/connection.ts';
import * as failing from '../../db/outgoing/failing-endpoints.ts';
import { disabledEndpointMail } from '../../domain/texts/endpoint-mail.ts';
import type { Mailer } from '../../gateways/mail/mailer.ts';
import { type DueWorker, type Outcome, tasksOf } from '../due-work/worker.ts';
import { sendToEach } from '../notices.ts';
import { untilDone } from '../progress.ts';

export type EndpointNoticeDeps = { db: Db; mailer: Mailer };

/** How many endpoints one statement disables, and for how long one activity goes on. */
const FAILING = { batch: 20, forMs: 15_000 };

/** Disables endpoints that take nothing for days. */
export function createFailingEndpointActivities({ db }: { db: Db }) {
  return {
    /**
     * Disables endpoints that took nothing for five days, which makes mails to their owners due,
     * and returns how many. A second call finds none.
     */
    async disableFailingEndpoints(): Promise<number> {
      return untilDone(FAILING, (batch) => failing.disableFailing(db, batch));
    },
  };
}

/** Mails the owners of disabled endpoints. Run twice, each mail has the same id. */
export function tellOfEndpoint({ db, mailer }: EndpointNoticeDeps): DueWorker<'tell_of_endpoint'> {
  return {
    kind: 'tell_of_endpoint',
    batch: 20,
    atOnce: 1,
    backOff: { firstSeconds: 300, longestSeconds: 300 },
    prepare: (items) =>
      tasksOf(
        items,
        (ids) => failing.findNotices(db, ids),
        (notice) => tellOwners(mailer, notice),
      ),
  };
}

function tellOwners(mailer: Mailer, notice: failing.DisabledNotice): Promise<Outcome> {
  return sendToEach(mailer, notice.owners, {
    messagePrefix: `endpoint-disabled-${notice.id}-${notice.disabledAt.getTime()}`,
    contentFor: ({ language }) => disabledEndpointMail({ ...notice, language }),
  });
}
