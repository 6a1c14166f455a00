import { Refusal } from './errors.ts';
import type { Language } from './language.ts';
import { type MailContent, paragraph } from './texts/mail-content.ts';
import { mailTextsIn } from './texts/mail-texts.ts';

export const INVITE_EMAIL_STATUSES = ['sent', 'existing_auth_user'] as const;
/** Whether the invited person was new, or a user with that verified e-mail. */
export type InviteEmailStatus = (typeof INVITE_EMAIL_STATUSES)[number];

export const INVITE_STATUSES = ['pending', 'accepted', 'declined', 'withdrawn', 'lapsed'] as const;
export type InviteStatus = (typeof INVITE_STATUSES)[number];

/** How many invites of a tenant may be open at once. */
const MAX_OPEN = 200;
/** How many invites a tenant may make in an hour, whatever becomes of them. */
export const INVITES_PER_HOUR = 60;

/** What a tenant has used of its limits on invites. */
export type InviteUse = {
  open: number;
  lastHour: number;
  /** Until the oldest invite of the last hour is an hour old; at least 1. */
  secondsToWait: number;
};

/**
 * Returns how many seconds a tenant has to wait before its next new invite; 0 if it need not.
 * Throws RULE_REJECTED while too many are open, since time alone does not change that.
 */
export function secondsUntilNextInvite({ open, lastHour, secondsToWait }: InviteUse): number {
  if (open >= MAX_OPEN) {
    throw new Refusal(
      'RULE_REJECTED',
      `${MAX_OPEN} invites are pending. Withdraw some of them first.`,
      'too_many_invites',
    );
  }
  return lastHour >= INVITES_PER_HOUR ? secondsToWait : 0;
}

/** What strangers see of a name at most: longer ones are messages rather than names. */
const MAX_NAME_LENGTH = 60;
/** An address, or a number that could be called or paid to. */
const LURE = /:\/\/|@|\bwww\b|[\p{L}\d-]\.\p{L}{2}|\d([\s().+/-]*\d){4}/iu;

/**
 * The name of a shop as a mail may show it, or an app, to people who do not know the shop. Anybody
 * who has a shop can invite anybody, so that the name must not carry a message of its own: one that
 * holds an address or a long number, or that is longer than a name, is not shown at all, but the
 * other one in its place.
 */
export function nameInMail(name: string, other = 'a shop'): string {
  const plain = name
    .normalize('NFKC')
    .replaceAll(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim();
  return plain === '' || plain.length > MAX_NAME_LENGTH || LURE.test(plain) ? other : plain;
}

/**
 * The mail that invites a person to work at a tenant's till. It shows no logo: a picture, like a
 * name, could carry a message of the shop's to people whom it does not know.
 */
export function invitationMail({
  tenantName,
  inviteUrl,
  language,
}: {
  tenantName: string;
  inviteUrl: string;
  language: Language | null;
}): MailContent {
  const texts = mailTextsIn(language);
  const shop = nameInMail(tenantName, texts.invite.unnamed);
  return {
    language: texts.language,
    subject: texts.invite.subject({ shop }),
    shop: { name: shop, logoUrl: null },
    blocks: [
      paragraph(texts.invite.invited({ shop })),
      paragraph(texts.invite.decide),
      { type: 'link', label: texts.invite.link, url: inviteUrl },
      paragraph(texts.invite.newcomers),
      paragraph(texts.invite.lapses),
    ],
  };
}
