import type { Db } from '../../db/connection.ts';
import * as imports from '../../db/imports/imports.ts';
import { importMail } from '../../domain/texts/import-mail.ts';
import type { Mailer } from '../../gateways/mail/mailer.ts';
import { type DueWorker, tasksOf } from '../due-work/worker.ts';
import { sendToEach } from '../notices.ts';

export type ImportNoticeDeps = { db: Db; mailer: Mailer; frontendUrl: string };

/** Mails the owners what became of an import. Run twice, each mail has the same id. */
export function tellOfImport({
  db,
  mailer,
  frontendUrl,
}: ImportNoticeDeps): DueWorker<'tell_of_import'> {
  return {
    kind: 'tell_of_import',
    batch: 20,
    atOnce: 1,
    backOff: { firstSeconds: 300, longestSeconds: 3_600 },
    prepare: (items) =>
      tasksOf(
        items,
        (ids) => imports.findNotices(db, ids),
        ({ id, owners, ...end }) =>
          sendToEach(mailer, owners, {
            messagePrefix: `import-${id}-${end.status}`,
            contentFor: ({ language }) => importMail({ ...end, frontendUrl, language }),
          }),
      ),
  };
}
