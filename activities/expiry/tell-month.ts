import type { Db } from '../../db/connection.ts';
import * as expiring from '../../db/ledger/expiring.ts';
import * as expiryRuns from '../../db/tenants/expiry-runs.ts';
import * as tenants from '../../db/tenants/tenants.ts';
import type { TenantId } from '../../domain/ids.ts';
import { type Month, monthText } from '../../domain/intervals.ts';
import { expiringMail } from '../../domain/texts/expiring-mail.ts';
import type { Mailer } from '../../gateways/mail/mailer.ts';
import { renderMail } from '../../gateways/mail/render-mail.ts';
import { objectUrl } from '../../gateways/objects/object-url.ts';
import { inParallel } from '../concurrency.ts';
import { sendNotice } from '../notices.ts';
import { continues } from '../progress.ts';
import { walletPages } from './wallet-pages.ts';

export type TellingDeps = {
  db: Db;
  mailer: Mailer;
  /** Below which the shops' logos are public. */
  objectsUrl: string;
  /** Where people see their wallets. */
  frontendUrl: string;
};

export type ToldMonth = {
  told: number;
  /** Mails that have to be sent again. */
  waiting: number;
};

/** As many as the mailer has connections. */
const AT_ONCE = 5;

/**
 * Mails the owners of a tenant's wallets what the end of a month will take if nothing moves. Each
 * is told once of a month: a run that is killed before it has recorded a mail sends it again under
 * the same id. A month of which some mails wait is told again, and one that would be skipped as the
 * shop is now is told once that is over.
 */
export async function tellMonth(
  { db, mailer, objectsUrl, frontendUrl }: TellingDeps,
  { tenantId, month }: { tenantId: TenantId; month: Month },
): Promise<ToldMonth | undefined> {
  const calendar = await expiring.readCalendar(db, tenantId);
  if (calendar === undefined) return undefined;
  const tenant = await tenants.get(db, tenantId);
  const shop = { ...tenant, logoUrl: objectUrl(objectsUrl, tenant.logoPath) };
  const due = { tenantId, calendar, month, now: calendar.monthOf(new Date()) };
  const done: ToldMonth = { told: 0, waiting: 0 };
  const end = calendar.startOf(month + 1);
  if ((await expiryRuns.skipReason(db, tenantId, end)) !== null) return done;
  for await (const ids of walletPages(db, tenantId)) {
    const points = await expiring.readDueAlone(db, due, ids);
    const untold = await expiryRuns.listUntold(db, [...points.keys()], month);
    await inParallel(untold, AT_ONCE, async ({ walletId, email, language }) => {
      continues();
      const content = expiringMail({
        shop,
        month,
        points: points.get(walletId) ?? 0,
        walletUrl: `${frontendUrl}/wallet/wallets/${walletId}`,
        language,
      });
      const messageId = `points-expire-${walletId}-${monthText(month)}`;
      const outcome = await sendNotice(mailer, { ...renderMail(content), to: email, messageId });
      if (outcome === 'later') done.waiting++;
      else {
        await expiryRuns.recordNotice(db, walletId, month);
        done.told++;
      }
    });
  }
  if (done.waiting === 0) await expiryRuns.recordTold(db, { tenantId, month });
  return done;
}
