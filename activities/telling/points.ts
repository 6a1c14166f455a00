import type { Db } from '../../db/connection.ts';
import * as points from '../../db/notices/points.ts';
import { pointsMail } from '../../domain/texts/points-mail.ts';
import type { StopLinks } from '../../gateways/crypto/stop-links.ts';
import type { Mailer } from '../../gateways/mail/mailer.ts';
import { renderMail } from '../../gateways/mail/render-mail.ts';
import { objectUrl } from '../../gateways/objects/object-url.ts';
import { type DueWorker, tasksOf } from '../due-work/worker.ts';
import { sendNotice } from '../notices.ts';
import { untilDone } from '../progress.ts';

export type PointsNoticeDeps = {
  db: Db;
  mailer: Mailer;
  stopLinks: Pick<StopLinks, 'urlOf'>;
  /** Below which the shops' logos are public. */
  objectsUrl: string;
  /** Where people see their wallets. */
  frontendUrl: string;
};

const KIND = 'tell_of_points';

/** How many entries one statement looks at, and for how long a tick goes on. */
const LOOK = { batch: 10_000, forMs: 5_000 };

/** Makes it due to tell people of the points that came, as far as these were not looked at yet. */
export async function notePoints(db: Db, behindSeconds?: number): Promise<void> {
  await untilDone(LOOK, (batch) => points.note(db, batch, behindSeconds));
}

/**
 * Mails the owners of wallets that points came, those of a minute together. One who was being told
 * when the worker was killed gets the same mail again, under the same id.
 */
export function tellOfPoints(deps: PointsNoticeDeps): DueWorker<'tell_of_points'> {
  const { db, mailer, stopLinks, objectsUrl, frontendUrl } = deps;
  return {
    kind: KIND,
    batch: 50,
    // As many as the mailer has connections.
    atOnce: 5,
    backOff: { firstSeconds: 60, longestSeconds: 3_600 },
    prepare: (items) =>
      tasksOf(
        items,
        (ids) => points.findNotices(db, KIND, ids),
        async (notice) => {
          const { id, userId, email, language, tenantName, logoPath, color } = notice;
          if (email === null) return 'done';
          const shop = { name: tenantName, logoUrl: objectUrl(objectsUrl, logoPath), color };
          const content = pointsMail({
            shop,
            points: notice.points,
            isFirst: notice.isFirst,
            isBroughtOver: notice.isBroughtOver,
            walletUrl: `${frontendUrl}/wallet/wallets/${id}`,
            choicesUrl: `${frontendUrl}/wallet/notices`,
            language,
            stopUrl: stopLinks.urlOf({ userId, kind: 'points' }),
          });
          const messageId = `points-${id}-${notice.after}`;
          const mail = { ...renderMail(content), to: email, messageId };
          const outcome = await sendNotice(mailer, mail);
          if (outcome === 'done') await points.recordTold(db, KIND, notice);
          return outcome;
        },
      ),
  };
}
