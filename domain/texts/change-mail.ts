import { Big } from 'big.js';
import type { Language } from '../language.ts';
import { maskContacts } from '../privacy.ts';
import { timeZoneOf } from '../time-zones.ts';
import { type MailContent, oneLine, paragraph } from './mail-content.ts';
import { formatMoney, formatNumber, momentOf } from './mail-formats.ts';
import { type MailTexts, mailTextsIn } from './mail-texts.ts';
import { providerName } from './provider-name.ts';
import { decimalsOf } from './wording.ts';

type State = Readonly<Record<string, string | number | null>>;

/** What is known of a change: as the audit log has it, and what its target is called. */
export type ChangeFacts = {
  action: string;
  actor: 'user' | 'ops';
  actorEmail: string | null;
  targetEmail: string | null;
  before: State;
  after: State;
  createdAt: Date;
  /** Null for what concerns the administrators. */
  shop: string | null;
  logoUrl: string | null;
  color: string | null;
  country: string | null;
  timeZone: string | null;
  /** The shop's, null while it is unknown. */
  currency: string | null;
  accountName: string | null;
  url: string | null;
  /** Where merchants see their connections. */
  posUrl: string;
  /** Whether people were told before, of a connection that is lost still. */
  isReminder: boolean;
  /** Of who is told. */
  language: Language | null;
};

/**
 * The mail that something changed, for those who would want to know if it was not them: what it is,
 * who did it and when, and what to do about it.
 */
export function changeMail(facts: ChangeFacts): MailContent {
  const texts = mailTextsIn(facts.language);
  const words = texts.change;
  const shop = facts.shop === null ? null : oneLine(facts.shop);
  const isConnection = facts.action.startsWith('connection.');
  return {
    language: texts.language,
    subject: subjectOf(facts, shop, texts),
    shop: { name: shop ?? words.administrators, logoUrl: facts.logoUrl, color: facts.color },
    blocks: [
      paragraph(whatOf(facts, texts)),
      paragraph(byOf(facts, texts)),
      // Nobody did it, and it cannot be undone.
      ...(facts.action === 'connection.lost'
        ? []
        : [paragraph(shop === null ? words.adminStranger : words.stranger)]),
      ...(isConnection ? [{ type: 'link', label: words.link, url: facts.posUrl } as const] : []),
    ],
  };
}

function subjectOf(
  { action, after, isReminder }: ChangeFacts,
  shop: string | null,
  { change }: MailTexts,
): string {
  if (shop === null) return change.adminSubject;
  const words = { provider: providerName(oneLine(String(after.provider ?? ''))) };
  const titleOf = () => {
    if (isReminder) return change.stillLostTitle(words);
    if (action === 'connection.lost') return change.lostTitle(words);
    if (action === 'connection.connect') return change.connectedTitle(words);
    return namedBy(action, change.titles) ?? change.otherTitle;
  };
  return `${titleOf()}: ${shop}`;
}

function namedBy<T>(action: string, texts: Readonly<Record<string, T>>): T | undefined {
  return Object.entries(texts).find(([name]) => name === action)?.[1];
}

function whatOf(facts: ChangeFacts, texts: MailTexts): string {
  const { change } = texts;
  const { action, before, after, targetEmail, accountName, url } = facts;
  const text = (value: string | number | null | undefined) => oneLine(String(value ?? ''));
  const account = accountName === null ? '' : `${oneLine(accountName)} `;
  const what = facts.isReminder ? change.stillLost : namedBy(action, change.what);
  return (what ?? change.other)({
    person: text(masked(targetEmail) ?? change.somebody),
    account: account === '' ? text(after.merchantId) : `${account}(${text(after.merchantId)})`,
    provider: providerName(text(after.provider)),
    url: text(url),
    ...earnedBy(facts, texts),
    currencyBefore: text(before.currency ?? change.none),
    currency: text(after.currency),
    zoneBefore: text(before.timeZone),
    zone: text(after.timeZone),
  });
}

/** What a new rule gives for one unit of the shop's currency. */
function earnedBy({ after: { conversionRate }, currency }: ChangeFacts, texts: MailTexts) {
  if (currency === null || typeof conversionRate !== 'number') return { unit: '', points: '' };
  const minorUnits = 10 ** decimalsOf(currency);
  const points = new Big(conversionRate).times(minorUnits).toNumber();
  return {
    unit: formatMoney(minorUnits, currency, texts.language),
    points: texts.points(points, formatNumber(points, texts.language)),
  };
}

function byOf({ action, actor, actorEmail, ...facts }: ChangeFacts, texts: MailTexts): string {
  const { change, language, moment } = texts;
  const zone = timeZoneOf(facts, facts.createdAt) ?? 'UTC';
  const at = moment(momentOf(facts.createdAt, language, zone));
  if (action === 'connection.lost') return change.noticed({ at });
  const who = actor === 'ops' ? change.operators : (masked(actorEmail) ?? change.somebody);
  return change.by({ who: oneLine(who), at });
}

/** Enough to recognise a colleague by: mails pass through more hands than the portal does. */
function masked(email: string | null): string | null {
  return maskContacts({ email, phone: null }).email;
}
