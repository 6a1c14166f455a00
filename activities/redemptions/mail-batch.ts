import type { Db } from '../../db/connection.ts';
import type { FollowedBatch } from '../../db/redemptions/following.ts';
import type { MailPage, RedemptionMailData } from '../../db/redemptions/mails.ts';
import type { RedemptionId } from '../../domain/ids.ts';
import type { MailContent } from '../../domain/texts/mail-content.ts';
import { MailError, type Mailer } from '../../gateways/mail/mailer.ts';
import { type RenderedMail, renderMail } from '../../gateways/mail/render-mail.ts';
import { inParallel } from '../concurrency.ts';
import { continues } from '../progress.ts';

/** How many mails of a batch were sent, and how many can never be. */
export type MailCounts = { sent: number; undeliverable: number };

/** What differs between the mails about redemptions. */
export type MailKind = {
  /** Begins the id of a message, which is the same however often a run sends it. */
  messagePrefix: string;
  /** Lists what is due, in the groups that come in one mail. */
  list(db: Db, page: MailPage): Promise<RedemptionMailData[][]>;
  contentOf(group: readonly RedemptionMailData[]): MailContent;
  mark(db: Db, ids: readonly RedemptionId[]): Promise<void>;
};

/** As many as the mailer has connections. */
const AT_ONCE = 5;
/** Few, so that a code is mailed soon after it was found to be usable. */
const PAGE = 25;

/**
 * Sends what is due of a batch, and records what was sent while the next mails are being sent. A
 * mail that fails holds up no other one, but when the server is away the rest is left for later.
 * Throws the first failure in the end: tried again, it sends what is left.
 */
export async function mailBatch(
  deps: { db: Db; mailer: Mailer },
  batch: FollowedBatch,
  kind: MailKind,
): Promise<MailCounts> {
  const sending: Sending = { counts: { sent: 0, undeliverable: 0 }, failures: [], isOver: false };
  for (let after: RedemptionId | null = null; !sending.isOver; ) {
    const page: RedemptionMailData[][] = await kind.list(deps.db, { ...batch, after, limit: PAGE });
    await mailPage(deps, page, { kind, sending });
    after = page.at(-1)?.[0]?.id ?? null;
    if (page.length < PAGE) break;
  }
  if (sending.failures.length > 0) throw sending.failures[0];
  return sending.counts;
}

type Sending = { counts: MailCounts; failures: unknown[]; isOver: boolean };

async function mailPage(
  { db, mailer }: { db: Db; mailer: Mailer },
  page: readonly RedemptionMailData[][],
  { kind, sending }: { kind: MailKind; sending: Sending },
): Promise<void> {
  const records = recordInGroups((ids) => kind.mark(db, ids));
  await inParallel(page, AT_ONCE, async (group) => {
    const [first] = group;
    if (sending.isOver || first === undefined) return;
    try {
      const rendered = renderOrNull(kind, group, sending);
      if (rendered === null) return;
      continues();
      const mail = { ...rendered, messageId: messageIdOf(kind, first.id, group) };
      sending.counts[await send(mailer, first.email, mail)] += group.length;
      records.add(group.map(({ id }) => id));
    } catch (error) {
      sending.failures.push(error);
      // It may also be that the activity must not go on.
      sending.isOver ||= !(error instanceof MailError && error.isAboutThisMail);
    }
  });
  await records.end();
}

/** Tells a mail that is sent again on purpose from one that a killed run has sent already. */
function messageIdOf(
  { messagePrefix }: MailKind,
  firstId: RedemptionId,
  group: readonly RedemptionMailData[],
): string {
  const more = group.length === 1 ? '' : `-${group.length}`;
  const resent = group.reduce((sum, each) => sum + each.resent, 0);
  return `${messagePrefix}-${firstId}${more}${resent === 0 ? '' : `-again-${resent}`}`;
}

/** A code that cannot be read any more fails by itself. */
function renderOrNull(
  kind: MailKind,
  group: readonly RedemptionMailData[],
  { failures }: Sending,
): RenderedMail | null {
  try {
    return renderMail(kind.contentOf(group));
  } catch (error) {
    failures.push(error);
    return null;
  }
}

/** Throws transient errors, which are retried; a refused address is an outcome. */
async function send(
  mailer: Mailer,
  to: string | null,
  mail: RenderedMail & { messageId: string },
): Promise<keyof MailCounts> {
  if (to === null) return 'undeliverable';
  try {
    await mailer.send({ ...mail, to });
    return 'sent';
  } catch (error) {
    if (error instanceof MailError && !error.isTransient) return 'undeliverable';
    throw error;
  }
}

/**
 * Records ids in groups: those that are added while one group is recorded form the next, so that a
 * worker that is killed has sent few mails without a record.
 */
function recordInGroups(record: (ids: RedemptionId[]) => Promise<void>) {
  const waiting: RedemptionId[] = [];
  let recorded = Promise.resolve();
  return {
    add(ids: readonly RedemptionId[]) {
      const isNew = waiting.length === 0;
      waiting.push(...ids);
      if (!isNew) return;
      recorded = recorded.then(() => record(waiting.splice(0)));
      // Its failure is for `end`.
      recorded.catch(() => undefined);
    },
    end: () => recorded,
  };
}
