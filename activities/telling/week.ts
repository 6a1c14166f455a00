import type { Db } from '../../db/connection.ts';
import * as weeks from '../../db/notices/week.ts';
import { sumSpans } from '../../db/tenants/interval-sums.ts';
import { pointsNow } from '../../db/tenants/outstanding.ts';
import { type WeekSummary, weekMail } from '../../domain/texts/week-mail.ts';
import { timeZoneOf } from '../../domain/time-zones.ts';
import { type ToldWeek, weekToTell } from '../../domain/week.ts';
import type { StopLinks } from '../../gateways/crypto/stop-links.ts';
import type { Mailer } from '../../gateways/mail/mailer.ts';
import { objectUrl } from '../../gateways/objects/object-url.ts';
import { type DueWorker, type Outcome, tasksOf } from '../due-work/worker.ts';
import { sendToEach } from '../notices.ts';

export type WeekNoticeDeps = {
  db: Db;
  mailer: Mailer;
  stopLinks: Pick<StopLinks, 'urlOf'>;
  objectsUrl: string;
  frontendUrl: string;
};

/**
 * Mails the owners of shops each Monday what the week was like; of a week without a sale only where
 * something does not work. The work is then due again on the next Monday. Run twice, each mail has
 * the same id.
 */
export function tellOfWeek(
  deps: WeekNoticeDeps,
  now: () => Date = () => new Date(),
): DueWorker<'tell_of_week'> {
  return {
    kind: 'tell_of_week',
    batch: 50,
    atOnce: 5,
    backOff: { firstSeconds: 300, longestSeconds: 3_600 },
    prepare: (items) =>
      tasksOf(
        items,
        (ids) => weeks.findShops(deps.db, ids),
        async (shop) => {
          const at = now();
          const timeZone = timeZoneOf(shop, at) ?? 'UTC';
          const told = weekToTell(at, timeZone);
          const isTold = told.isTime && shop.isActive && shop.owners.length > 0;
          const outcome = isTold ? await tellOwners(deps, shop, { ...told, timeZone }) : 'done';
          if (outcome === 'done') await weeks.noteNext(deps.db, shop.id, told.next);
          return outcome;
        },
      ),
  };
}

async function tellOwners(
  { db, mailer, stopLinks, objectsUrl, frontendUrl }: WeekNoticeDeps,
  shop: weeks.SummedUpShop,
  { week, monday, timeZone }: ToldWeek & { timeZone: string },
): Promise<Outcome> {
  const { id, name, color, currency, lost, silent, endpointsOff } = shop;
  const [sums] = await sumSpans(db, { id, currency }, [week]);
  if (sums === undefined) throw new Error('A week came back without its sums.');
  const isTroubled = lost.length + silent.length + endpointsOff > 0;
  if (sums.sales.count === 0 && !isTroubled) return 'done';
  const { outstanding } = await pointsNow(db, id);
  const summary: Omit<WeekSummary, 'stopUrl' | 'language'> = {
    ...sums,
    shop: { name, color, logoUrl: objectUrl(objectsUrl, shop.logoPath) },
    currency,
    timeZone,
    week,
    pointsOutstanding: outstanding,
    trouble: { lost, silent, endpointsOff },
    portalUrl: `${frontendUrl}/portal`,
    choicesUrl: `${frontendUrl}/portal/notices`,
  };
  return sendToEach(mailer, shop.owners, {
    messagePrefix: `week-${id}-${monday}`,
    contentFor: ({ id: userId, language }) =>
      weekMail({ ...summary, language, stopUrl: stopLinks.urlOf({ userId, kind: 'weekly' }) }),
  });
}
