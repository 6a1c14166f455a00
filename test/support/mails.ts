import { WalletId } from '../../domain/ids.ts';
import { invitationMail } from '../../domain/invitation.ts';
import type { Language } from '../../domain/language.ts';
import { approvalMail } from '../../domain/texts/approval-mail.ts';
import { type ChangeFacts, changeMail } from '../../domain/texts/change-mail.ts';
import { disabledEndpointMail } from '../../domain/texts/endpoint-mail.ts';
import { erasureMail } from '../../domain/texts/erasure-mail.ts';
import { expiringMail } from '../../domain/texts/expiring-mail.ts';
import { gapMail } from '../../domain/texts/gap-mail.ts';
import { goodwillMail } from '../../domain/texts/goodwill-mail.ts';
import { importMail } from '../../domain/texts/import-mail.ts';
import type { MailContent } from '../../domain/texts/mail-content.ts';
import { pointsMail } from '../../domain/texts/points-mail.ts';
import { pointsPush, usedCodePush } from '../../domain/texts/pushes.ts';
import { codeMail, expiryMail } from '../../domain/texts/redemption-mail.ts';
import { unusualMovementsMail } from '../../domain/texts/unusual-mail.ts';
import { waitingMail } from '../../domain/texts/waiting-mail.ts';
import { weekMail } from '../../domain/texts/week-mail.ts';

const BASE = 'https://app.example';
const BERLIN = { country: 'DE', timeZone: 'Europe/Berlin' } as const;
const OF_SHOP = { tenantName: 'Corner Café', frontendUrl: BASE } as const;
const LOOK = { logoUrl: null, color: '#7a1f3d' } as const;

const REDEMPTION = {
  ...BERLIN,
  ...LOOK,
  tenantName: 'Corner Café',
  currency: 'EUR',
  points: 12_500,
  discountValueMinorUnits: 12_500,
  reward: null,
  expiresAt: new Date('2026-03-15T10:15:00.000Z'),
} as const;

const CODE = {
  ...REDEMPTION,
  code: '9F86D081884C',
  codeUrl: `${BASE}/wallet/codes`,
  expiredCodes: 'refund',
} as const;

const OFFICE = { officeUrl: `${BASE}/office`, stopUrl: `${BASE}/notices/stop#x` };
const CHOICES = { choicesUrl: `${BASE}/wallet/notices`, stopUrl: `${BASE}/notices/stop#x` };
const SHOP = { name: 'Corner Café', ...LOOK };

const CHANGE = {
  ...BERLIN,
  ...LOOK,
  currency: 'EUR',
  actor: 'user',
  actorEmail: 'owner@example.com',
  targetEmail: 'ada@example.com',
  before: { currency: null, timeZone: 'Europe/Paris' },
  after: {
    conversionRate: 0.125,
    currency: 'EUR',
    timeZone: 'Europe/Berlin',
    provider: 'alpha',
    merchantId: 'M7',
  },
  createdAt: new Date('2026-03-15T10:00:00.000Z'),
  shop: 'Corner Café',
  accountName: 'Main street',
  url: 'https://hooks.example/x',
  posUrl: `${BASE}/pos`,
  isReminder: false,
} satisfies Partial<ChangeFacts>;

const CAME = {
  isBroughtOver: false,
  shop: SHOP,
  points: 125,
  walletUrl: `${BASE}/wallet/wallets/1`,
  ...CHOICES,
};

const WEEK = {
  shop: SHOP,
  currency: 'EUR',
  timeZone: 'Europe/Berlin',
  week: { from: new Date('2026-03-08T23:00:00Z'), to: new Date('2026-03-15T23:00:00Z') },
  sales: { count: 1_200, amountMinorUnits: 1_234_550 },
  matched: { count: 660 },
  pointsEarned: 60_000,
  pointsUsed: 100,
  pointsOutstanding: 168_700,
  trouble: { lost: ['alpha'], silent: ['beta'], endpointsOff: 1 },
  portalUrl: `${BASE}/portal`,
  ...CHOICES,
} as const;

const GAP = {
  ...OF_SHOP,
  provider: 'beta',
  since: new Date('2026-03-15T10:00:00.000Z'),
  timeZone: 'Europe/Berlin',
} as const;

type Answered = Parameters<typeof goodwillMail>[0];

/** What a shop's owners are told of. */
const TOLD_OF_SHOPS = [
  'operator.accept',
  'rule.publish',
  'endpoint.create',
  'endpoint.update',
  'endpoint.rotate',
  'tenant.set_currency',
  'tenant.set_time_zone',
  'connection.connect',
  'connection.lost',
] as const;

/** Every mail by its name, in a language. */
export function mailsIn(language: Language): Readonly<Record<string, MailContent>> {
  const changed = (some: Pick<ChangeFacts, 'action'> & Partial<ChangeFacts>) =>
    changeMail({ ...CHANGE, ...some, language });
  const imported = { ...OF_SHOP, status: 'done', language, notTaken: 1_070 } as const;
  const counts = { matched: 1_412, waiting: 1, repeated: 2 };
  const gap = (payments: number) => gapMail({ ...GAP, payments, language });
  const unusual = (people: number) => unusualMovementsMail({ ...OF_SHOP, people, language });
  const expiring = (points: number) =>
    expiringMail({
      shop: SHOP,
      points,
      month: 2026 * 12 + 2,
      walletUrl: `${BASE}/wallet/wallets/1`,
      language,
    });
  const expired = (some: Partial<Parameters<typeof expiryMail>[0]>) =>
    expiryMail({ ...REDEMPTION, pointsReturned: true, ...some, language });
  const waiting = (applicants: number, requests: number) =>
    waitingMail({ applicants, requests, ...OFFICE, language });
  const answered = (some: Pick<Answered, 'isGranted'> & Partial<Answered>) =>
    goodwillMail({
      shop: 'Corner Café',
      points: 1_200,
      answer: 'The sale was refunded.',
      consumersUrl: `${BASE}/portal/consumers`,
      ...some,
      language,
    });
  const scheduled = { status: 'scheduled', at: '2026-03-15T10:00:00.000Z' };
  return {
    code: codeMail([{ ...CODE, language }]),
    'codes, one of a reward': codeMail([
      { ...CODE, expiredCodes: 'forfeit', language },
      { ...CODE, currency: null, points: 1, language },
      { ...CODE, code: '000000000001', reward: 'Latte', discountValueMinorUnits: 0, language },
    ]),
    'code expired': expired({}),
    'code of one point expired, without a currency': expired({ points: 1, currency: null }),
    'code of a reward expired': expired({ reward: 'Latte', discountValueMinorUnits: 0 }),
    'code lost': expired({ points: 1, pointsReturned: false }),
    'points expire': expiring(12_500),
    'one point expires': expiring(1),
    erasure: erasureMail({ ...BERLIN, after: scheduled, walletUrl: `${BASE}/wallet`, language }),
    'erasure of somebody without a shop': erasureMail({
      country: null,
      timeZone: null,
      after: scheduled,
      walletUrl: `${BASE}/wallet`,
      language,
    }),
    'erasure withdrawn': erasureMail({
      ...BERLIN,
      after: { status: 'withdrawn' },
      walletUrl: `${BASE}/wallet`,
      language,
    }),
    invite: invitationMail({ ...OF_SHOP, inviteUrl: `${BASE}/invites/7`, language }),
    'invite of a shop that is not named': invitationMail({
      tenantName: 'Call +49 30 123456',
      inviteUrl: `${BASE}/invites/7`,
      language,
    }),
    ...Object.fromEntries(TOLD_OF_SHOPS.map((action) => [action, changed({ action })])),
    'connection still lost': changed({ action: 'connection.lost', isReminder: true }),
    'change by us': changed({ action: 'rule.publish', currency: null, actorEmail: null }),
    'change by the operators': changed({ action: 'rule.publish', actor: 'ops' }),
    'change without words': changed({ action: 'something.new' }),
    'new administrator': changed({
      action: 'user.role',
      shop: null,
      country: null,
      timeZone: null,
    }),
    approval: approvalMail({ shop: 'Corner Café', portalUrl: `${BASE}/portal/`, language }),
    endpoint: disabledEndpointMail({ ...OF_SHOP, url: 'https://hooks.example/x', language }),
    gap: gap(1_412),
    'gap of one sale': gap(1),
    import: importMail({ ...imported, ...counts }),
    'import of one': importMail({ ...imported, matched: 1, waiting: 1_412, repeated: 1 }),
    'import taken back': importMail({ ...imported, ...counts, status: 'reverted' }),
    'import taken back whole': importMail({
      ...imported,
      ...counts,
      status: 'reverted',
      notTaken: 0,
    }),
    unusual: unusual(3),
    'one unusual customer': unusual(1),
    'first points': pointsMail({ ...CAME, isFirst: true, language }),
    'points of before': pointsMail({ ...CAME, isFirst: true, isBroughtOver: true, language }),
    'more points': pointsMail({ ...CAME, points: 1, isFirst: false, language }),
    'a merchant waits': waiting(1, 0),
    'merchants wait': waiting(2, 0),
    'a shop asks for points': waiting(0, 1),
    'shops ask for points': waiting(0, 1_200),
    'merchants wait, and ask for points': waiting(1, 3),
    'goodwill granted': answered({ isGranted: true }),
    'goodwill of one point granted': answered({ isGranted: true, points: 1 }),
    'goodwill declined': answered({ isGranted: false }),
    'goodwill of one point declined, the customer erased': answered({
      isGranted: false,
      points: 1,
      answer: null,
    }),
    week: weekMail({ ...WEEK, language }),
    'week of one sale, without a currency': weekMail({
      ...WEEK,
      currency: null,
      sales: { count: 1, amountMinorUnits: 0 },
      matched: { count: 1 },
      pointsUsed: 1,
      trouble: { lost: [], silent: [], endpointsOff: 2 },
      language,
    }),
    'week of no sales': weekMail({
      ...WEEK,
      sales: { count: 0, amountMinorUnits: 0 },
      matched: { count: 0 },
      trouble: { lost: [], silent: [], endpointsOff: 0 },
      language,
    }),
  };
}

/** Every message to a phone by its name, in a language. */
export function pushesIn(language: Language): Readonly<Record<string, string>> {
  const content = {
    language,
    shopName: 'Corner\nCafé',
    walletId: WalletId.parse('00000000-0000-4000-8000-000000000007'),
    tag: 'T1',
  };
  return {
    'points came': pointsPush({ ...content, points: 1_250 }),
    'one point came': pointsPush({ ...content, points: 1 }),
    'code used': usedCodePush(content),
  };
}
