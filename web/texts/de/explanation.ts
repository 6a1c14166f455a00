import { decimal, moment, money, monthOf, number, unitOf } from '../../shared/format.ts';
import { pointsText } from '../../shared/points-text.ts';
import type { ExplanationTexts, SentenceParams } from '../texts.ts';

/** Every sentence of an explanation, by its code. One that is missing does not compile. */
export const explanationTexts: ExplanationTexts = {
  earned: ({ points, takenBack }, to) => {
    const earned =
      to === 'customer'
        ? `Du hast ${pointsText(points)} gesammelt.`
        : `Dafür gab es ${pointsText(points)}.`;
    if (takenBack === 0) return earned;
    return `${earned} Nach einer Rückerstattung wieder abgezogen: ${pointsText(takenBack)}.`;
  },
  earned_nothing: (params) =>
    params.reason === null
      ? 'Dafür gab es keine Punkte.'
      : `Dafür gab es keine Punkte: ${NOTHING[params.reason](params)}.`,
  paid: ({ amountMinorUnits, tipMinorUnits, currency }, to) => {
    const amount = money(amountMinorUnits, currency);
    const paid = to === 'customer' ? `Du hast ${amount} bezahlt` : `Bezahlt wurden ${amount}`;
    if (tipMinorUnits <= 0) return `${paid}.`;
    const tip = money(tipMinorUnits, currency);
    return `${paid}, dazu ${tip} Trinkgeld. Für Trinkgeld gibt es keine Punkte.`;
  },
  recognised: ({ by, conflict, late }, to) => {
    const own = to === 'customer' ? 'deiner' : 'der';
    const contact = by === 'email' ? 'E-Mail-Adresse' : 'Telefonnummer';
    if (by === 'member') return `Erkannt an ${own} Mitgliedskarte, an der Kasse.`;
    const found = `Erkannt an ${own} ${contact}${late ? ', nach dem Einkauf' : ''}.`;
    return conflict ? `${found} Die Telefonnummer des Einkaufs gehört jemand anderem.` : found;
  },
  not_recognised: (contacts) =>
    contacts.email || contacts.phone
      ? `Niemand ist mit dieser ${contactsOf(contacts)} bekannt.`
      : 'Es gab weder E-Mail-Adresse noch Telefonnummer.',
  rule: (rule, to) =>
    `${to === 'customer' ? 'Das Geschäft' : 'Ihr Geschäft'} gab ${termsOf(rule).join(', ')}.`,
  no_rule: () => 'Das Geschäft gab damals keine Punkte.',
  other_currency: ({ currency, tenantCurrency }) =>
    `Das Geschäft gibt Punkte für ${tenantCurrency}, bezahlt wurde in ${currency}.`,
  less_than_minimum: ({ amountMinorUnits, minSpendMinorUnits, currency }) =>
    `${money(amountMinorUnits, currency)} sind weniger als ${money(minSpendMinorUnits, currency)}.`,
  calculated: ({ amountMinorUnits, currency, conversionRate, exact, rounded, roundingPolicy }) => {
    const rate = decimal(Number(conversionRate) * unitOf(currency));
    const product = `${money(amountMinorUnits, currency)} × ${rate} =`;
    const points = pointsText(Number(rounded));
    if (exact === rounded) return `${product} ${points}.`;
    return `${product} ${decimal(Number(exact))}, ${ROUNDED[roundingPolicy]} ${points}.`;
  },
  campaign_multiplies: ({ campaign, multiplier, rounded, instead }) =>
    `„${campaign}“ machte daraus das ${decimal(multiplier)}-Fache: ` +
    `${pointsText(Number(rounded))} statt ${number(instead)}.`,
  tier_multiplies: ({ tier, multiplier, rounded, instead }) =>
    `Die Stufe ${tier} bringt das ${decimal(multiplier)}-Fache: ` +
    `${pointsText(Number(rounded))} statt ${number(instead)}.`,
  campaign_adds: ({ campaign, points }) => `„${campaign}“ brachte ${pointsText(points)} dazu.`,
  capped_by_rule: ({ points }) => `Für einen Einkauf gibt es dort höchstens ${pointsText(points)}.`,
  capped_to_limit: ({ points }) => `Für einen Einkauf gibt es nie mehr als ${pointsText(points)}.`,
  refunded: ({ refundedMinorUnits, currency, points, owed, absorbed }, to) => {
    const refund =
      `Davon wurden ${to === 'customer' ? 'dir ' : ''}${money(refundedMinorUnits, currency)} ` +
      `erstattet und dafür ${pointsText(points)} abgezogen.${
        absorbed > 0 ? ` Schon vorher verfallen: ${pointsText(absorbed)}.` : ''
      }`;
    if (owed <= 0) return refund;
    const from = to === 'customer' ? 'deinen nächsten Punkten' : 'den nächsten Punkten';
    return `${refund} Von ${from} ${werden(owed)} noch ${pointsText(owed)} abgezogen.`;
  },
  refund_failed: ({ points, owed, absorbed }) => {
    const given = `Eine Rückerstattung schlug fehl. Dafür gab es ${pointsText(points)} zurück.${
      absorbed > 0 ? ` Inzwischen verfallen und ohne Ersatz: ${pointsText(absorbed)}.` : ''
    }`;
    if (owed <= 0) return given;
    return `${given} ${pointsText(owed)} ${werden(owed)} nicht mehr abgezogen.`;
  },
  debt_paid: ({ points }) =>
    `${pointsText(points)} ${wurden(points)} später von neuen Punkten abgezogen.`,
  written_off: ({ points }) =>
    `${pointsText(points)} ${wurden(points)} nicht abgezogen: Das Konto wurde gelöscht.`,
  usable_from: ({ at }) =>
    `Einlösbar ab ${moment(at)} Uhr, wenn der Einkauf nicht mehr zurückgegeben werden kann.`,
  points_expired: ({ points }) =>
    `${pointsText(points)} ${points === 1 ? 'ist' : 'sind'} verfallen.`,
  expired_by: ({ earnedBy, month }) =>
    `Gesammelt bis ${monthName(earnedBy)}, einlösbar bis Ende ${monthName(month)}.`,
  usable_longer: ({ balance, longer }) =>
    `Der Punktestand war ${number(balance)}, davon ${longer === 1 ? 'ist' : 'sind'} ` +
    `${number(longer)} länger einlösbar.`,
  redeemed: ({ points }) => `Du hast ${pointsText(points)} gegen einen Code getauscht.`,
  taken_at_confirmation: () => 'Die Punkte wurden abgezogen, als du den Code geholt hast.',
  code_open: () => 'Der Code ist noch einlösbar.',
  code_used: () => 'Der Code wurde an der Kasse eingelöst.',
  code_expired: () => 'Der Code wurde nicht eingelöst und ist abgelaufen.',
  code_cancelled: () => 'Der Code wurde storniert, bevor er eingelöst war.',
  points_came_back: ({ points }) => `Du hast ${pointsText(points)} zurückbekommen.`,
  because_cancelled: () => 'Der Code, den du dafür geholt hattest, wurde storniert.',
  because_unused: () => 'Der Code, den du dafür geholt hattest, wurde nicht rechtzeitig eingelöst.',
  taken_back: ({ points }) => `${pointsText(points)} ${wurden(points)} wieder abgezogen.`,
  given_back: ({ points }) => `Es gab ${pointsText(points)} zurück.`,
  because_refunded: () => 'Der Einkauf, für den es sie gab, wurde erstattet.',
  because_refund_failed: () => 'Die Rückerstattung des Einkaufs, für den es sie gab, schlug fehl.',
  added_by_hand: ({ points }) => `${pointsText(points)} ${wurden(points)} von Hand gutgeschrieben.`,
  taken_by_hand: ({ points }) => `${pointsText(points)} ${wurden(points)} von Hand abgezogen.`,
  brought_over: () => 'Das Geschäft hat deine Punkte von früher übernommen.',
  brought_over_in_error: () => 'Sie waren versehentlich von früher übernommen worden.',
  corrected_by_administrator: () => 'Die Verwaltung des Dienstes hat den Punktestand korrigiert.',
};

/** A month of the service's, whatever clocks are shown: its middle is in it everywhere. */
const monthName = (month: string) => monthOf(`${month}-15`);

type Nothing = SentenceParams['earned_nothing'];

const NOTHING: { [Why in NonNullable<Nothing['reason']>]: (params: Nothing) => string } = {
  duplicate: () => 'Der Einkauf war schon gezählt',
  zero_amount: () => 'Es wurde nichts bezahlt',
  below_minimum: ({ minSpendMinorUnits, currency }) =>
    `Das Geschäft gibt sie ab einem Einkauf von ${money(minSpendMinorUnits ?? 0, currency)}`,
  rounded_to_zero: () => 'Der Betrag ist weniger als einen Punkt wert',
  capped_to_zero: () => 'Für einen Einkauf gibt es dort höchstens 0 Punkte',
  capped_to_limit: () => 'Mehr gibt es für keinen Einkauf',
  no_contacts: () => 'Es gab weder E-Mail-Adresse noch Telefonnummer',
  no_match: (contacts) => `Niemand ist mit dieser ${contactsOf(contacts)} bekannt`,
  no_rule: () => 'Das Geschäft gab damals keine',
  tenant_suspended: () => 'Das Geschäft ist ausgesetzt. Gezählt wird, sobald es weitergeht',
  before_connection: () => 'Damals gab es dort noch keine Punkte',
  currency_mismatch: ({ currency, tenantCurrency }) =>
    `Bezahlt wurde in ${currency}, das Geschäft gibt Punkte für ${tenantCurrency}`,
};

const ROUNDED = {
  floor: 'abgerundet auf',
  ceil: 'aufgerundet auf',
  round: 'gerundet auf',
} satisfies Record<SentenceParams['calculated']['roundingPolicy'], string>;

function termsOf({ conversionRate, currency, ...rule }: SentenceParams['rule']): string[] {
  const { minSpendMinorUnits: least, maxPointsPerTransaction: most } = rule;
  const unit = unitOf(currency);
  const points = Number(conversionRate) * unit;
  const shown = points === 1 ? '1 Punkt' : `${decimal(points)} Punkte`;
  return [
    `${shown} je ${money(unit, currency)}`,
    ...(least > 0 ? [`ab einem Einkauf von ${money(least, currency)}`] : []),
    ...(most === null ? [] : [`höchstens ${pointsText(most)} für einen Einkauf`]),
  ];
}

function contactsOf({ email, phone }: { email: boolean; phone: boolean }): string {
  if (email && phone) return 'E-Mail-Adresse oder Telefonnummer';
  return email ? 'E-Mail-Adresse' : 'Telefonnummer';
}

function werden(points: number): string {
  return points === 1 ? 'wird' : 'werden';
}

function wurden(points: number): string {
  return points === 1 ? 'wurde' : 'wurden';
}
