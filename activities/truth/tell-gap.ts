import type { Db } from '../../db/connection.ts';
import * as gaps from '../../db/connections/gaps.ts';
import { gapMail } from '../../domain/texts/gap-mail.ts';
import { timeZoneOf } from '../../domain/time-zones.ts';
import type { Mailer } from '../../gateways/mail/mailer.ts';
import { type DueWorker, tasksOf } from '../due-work/worker.ts';
import { sendToEach } from '../notices.ts';

export type GapNoticeDeps = { db: Db; mailer: Mailer; frontendUrl: string };

/** Mails the owners that sales do not arrive. Run twice, each mail has the same id. */
export function tellOfGap({ db, mailer, frontendUrl }: GapNoticeDeps): DueWorker<'tell_of_gap'> {
  return {
    kind: 'tell_of_gap',
    batch: 20,
    atOnce: 1,
    backOff: { firstSeconds: 300, longestSeconds: 300 },
    prepare: (items) =>
      tasksOf(
        items,
        (ids) => gaps.findNotices(db, ids),
        ({ owners, timeZone, country, ...gap }) => {
          const zone = timeZoneOf({ timeZone, country }, gap.since) ?? 'UTC';
          return sendToEach(mailer, owners, {
            messagePrefix: `gap-${gap.id}-${gap.day}`,
            contentFor: ({ language }) =>
              gapMail({ ...gap, timeZone: zone, frontendUrl, language }),
          });
        },
      ),
  };
}
