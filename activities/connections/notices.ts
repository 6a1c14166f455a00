import type { Db } from '../../db/connection.ts';
import * as notices from '../../db/connections/notices.ts';
import { connectedMail } from '../../domain/connection-mail.ts';
import { MailError, type Mailer } from '../../gateways/mail/mailer.ts';
import { renderMail } from '../../gateways/mail/render-mail.ts';
import { objectUrl } from '../../gateways/objects/object-url.ts';

export type NoticeDeps = {
  db: Db;
  mailer: Mailer;
  /** Where merchants see their connections, below it. */
  frontendUrl: string;
  /** Below which the shops' logos are public. */
  objectsUrl: string;
};

const BATCH = 20;
/** One activity ends well within its time; what is left is the next one's. */
const BUDGET_MS = 15_000;

/** The mails that tell owners which account was connected to their tenant. */
export function createNoticeActivities(deps: NoticeDeps) {
  const { db } = deps;
  return {
    /**
     * Sends the mails that are due, for some seconds, and returns how many were sent. An owner
     * without a verified address gets none. A mail that cannot be sent now is due again in five
     * minutes, and holds up no other; a run killed before a mail is recorded sends it again under
     * the same id.
     */
    async sendConnectionNotices(): Promise<number> {
      const until = performance.now() + BUDGET_MS;
      let sent = 0;
      for (;;) {
        const list = await notices.listDue(db, BATCH);
        for (const due of list) {
          if (performance.now() > until) return sent;
          const outcome = await send(deps, due);
          if (outcome === 'sent') sent++;
          if (outcome === 'later') await notices.postpone(db, due);
          else await notices.close(db, due);
        }
        if (list.length < BATCH) return sent;
      }
    },
  };
}

async function send(
  { mailer, frontendUrl, objectsUrl }: NoticeDeps,
  due: notices.DueNotice,
): Promise<'sent' | 'later' | 'undeliverable'> {
  if (due.email === null) return 'undeliverable';
  const messageId = `connected-${due.id}-${due.connectedAt.getTime()}`;
  try {
    const logoUrl = objectUrl(objectsUrl, due.logoPath);
    const mail = connectedMail({ ...due, logoUrl, posUrl: `${frontendUrl}/pos` });
    await mailer.send({ ...renderMail(mail), to: due.email, messageId });
    return 'sent';
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return error.isTransient ? 'later' : 'undeliverable';
  }
}
