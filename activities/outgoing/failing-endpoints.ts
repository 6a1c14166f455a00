import type { Db } from '../../db/connection.ts';
import * as failing from '../../db/outgoing/failing-endpoints.ts';
import { disabledEndpointMail } from '../../domain/endpoint-mail.ts';
import { MailError, type Mailer } from '../../gateways/mail/mailer.ts';
import { renderMail } from '../../gateways/mail/render-mail.ts';

export type FailingEndpointDeps = { db: Db; mailer: Mailer };

const BATCH = 20;
/** One activity ends well within its time; what is left is the next one's. */
const BUDGET_MS = 15_000;

/** Disables endpoints that take nothing for days, and mails their owners. */
export function createFailingEndpointActivities({ db, mailer }: FailingEndpointDeps) {
  return {
    /**
     * Disables endpoints that took nothing for five days, and sends the mails to their owners that
     * are due, for some seconds; returns how many endpoints were disabled. A mail that cannot be
     * sent now is due again in five minutes; a run killed before it is recorded sends it again
     * under the same id.
     */
    async disableFailingEndpoints(): Promise<number> {
      const until = performance.now() + BUDGET_MS;
      const disabled = await failing.disableFailing(db, BATCH);
      for (const due of await failing.listNotices(db, BATCH)) {
        if (performance.now() > until) break;
        if (await isDone(mailer, due)) await failing.closeNotice(db, due.id);
        else await failing.postponeNotice(db, due.id);
      }
      return disabled;
    },
  };
}

/** Whether every owner has got the mail, or cannot get it. */
async function isDone(mailer: Mailer, due: failing.DisabledNotice): Promise<boolean> {
  const messageId = `endpoint-disabled-${due.id}-${due.disabledAt.getTime()}`;
  let isDeferred = false;
  for (const [nth, to] of due.emails.entries()) {
    try {
      await mailer.send({
        ...renderMail(disabledEndpointMail(due)),
        to,
        messageId: `${messageId}-${nth}`,
      });
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      if (error.isTransient) isDeferred = true;
    }
  }
  return !isDeferred;
}
