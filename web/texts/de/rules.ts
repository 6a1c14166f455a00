import type { ruleTexts as english } from '../en/rules.ts';
import type { Texts } from '../texts.ts';

/** What the portal says of rules. */
export const ruleTexts: Texts<typeof english> = {
  lead: (amount: string) =>
    `Was Ihre Kundschaft für ihre Einkäufe bekommt. 100 Punkte sind bei einem späteren Einkauf ` +
    `${amount} wert.`,
  empty: 'Es gibt noch keine Regel: Verkäufe bringen keine Punkte.',
  first: 'Erste Regel festlegen',
  change: 'Regel ändern',
  firstTitle: 'Die erste Regel',
  inEffect: 'Gilt jetzt',
  planned: 'Geplant',
  earlier: 'Früher',
  none: 'Noch gilt keine Regel: Bis die geplante beginnt, bringen Verkäufe keine Punkte.',
  since: (when: string) => `Seit ${when}`,
  from: (when: string) => `Ab ${when}`,
  span: (from: string, to: string) => `${from} – ${to}`,
  by: (who: string) => `von ${who}`,
  changed: 'Was sie geändert hat',
  changes: 'Was sich ändert',
  same: 'Sie sagt dasselbe wie die Regel davor.',
  withdrawn: (when: string) => `Geplant für ${when} und zurückgezogen: Sie galt nie.`,
  withdraw: (when: string) => `Regel vom ${when} zurückziehen`,
  withdrawAll: (when: string) => `Regeln vom ${when} zurückziehen`,
  withdrawWhat: (back: string) => `Die jetzige Regel bleibt: ${back}.`,
  keep: 'Behalten',
  wasWithdrawn: 'Die geplante Regel ist zurückgezogen.',
  published: 'Die Regel ist veröffentlicht.',
  fields: {
    rate: 'Was zurückkommt',
    percent: 'Prozent vom Einkauf',
    points: (unit: string) => `Punkte je ${unit}`,
    limits: 'Grenzen',
    minSpend: 'Punkte ab einem Verkauf von',
    cap: 'Höchstzahl der Punkte pro Verkauf',
    capHint: 'Leer: keine Grenze.',
    rounding: 'Bruchteile eines Punkts werden',
    redeeming: 'Punkte einlösen',
    minBalance: 'Einlösen ab so vielen Punkten',
    share: 'In 24 Stunden einlösbar, in Prozent',
    start: 'Beginn',
    when: 'Gilt ab',
    whenHint: 'Leer: sofort.',
  },
  rounding: { floor: 'abgerundet', ceil: 'aufgerundet', round: 'kaufmännisch gerundet' },
  meaning: 'Was das bedeutet',
  example: (amount: string, points: string, worth: string) =>
    `Ein Verkauf über ${amount} bringt ${points} im Wert von ${worth}.`,
  multiplied: (back: string) => `Mit der jetzigen Regel: ${back}.`,
  cost: {
    title: 'Die letzten 30 Tage',
    none:
      'Bei keinem Verkauf der letzten 30 Tage war bekannt, wer einkauft. Damit lässt sich nichts ' +
      'ausrechnen.',
    paid: (amount: string) => `Ihre bekannte Kundschaft zahlte ${amount}.`,
    would: (amount: string) => `Mit dieser Regel bekommt sie etwa ${amount} zurück.`,
    wouldAtMost: (amount: string) => `Mit dieser Regel bekommt sie höchstens ${amount} zurück.`,
    more: (amount: string) => `Das sind ${amount} mehr als mit der jetzigen Regel.`,
    less: (amount: string) => `Das sind ${amount} weniger als mit der jetzigen Regel.`,
    former: (amount: string) => `Mit der jetzigen Regel sind es etwa ${amount}.`,
    formerAtMost: (amount: string) => `Mit der jetzigen Regel sind es höchstens ${amount}.`,
    equal: 'Das ist so viel wie mit der jetzigen Regel.',
  },
  nothingChanges: 'Noch ist nichts geändert: Das ist die jetzige Regel.',
  replacesPlanned: (when: string) => `Die für ${when} geplante Regel wird damit zurückgezogen.`,
  submit: 'Veröffentlichen',
  plan: 'Planen',
  generous: {
    title: (percent: string) => `${percent} zurückgeben?`,
    what: (amount: string, worth: string) =>
      `Für einen Einkauf von ${amount} gibt es Punkte im Wert von ${worth}. Gesammelte Punkte ` +
      'bleiben, was auch immer Sie später veröffentlichen.',
    best: 'Das gilt für Kunden Ihrer besten Stufe.',
    cost: (amount: string) => `Mit den Verkäufen der letzten 30 Tage sind das ${amount}.`,
    submit: (percent: string) => `Ja, ${percent} zurückgeben`,
    close: 'Noch einmal ansehen',
  },
  wrong: {
    amount: (example) => `Geben Sie einen Betrag ein, etwa ${example}.`,
    rate: 'Geben Sie eine Zahl über 0 ein, etwa 1250 oder 0,5.',
    count: 'Geben Sie eine ganze Zahl ein.',
    percent: 'Geben Sie eine Zahl von 1 bis 100 ein, etwa 12,5.',
    past: 'Wählen Sie einen künftigen Zeitpunkt, oder lassen Sie das Feld leer für sofort.',
  },
  needsCurrency:
    'Verbinden Sie zuerst Ihr Kassensystem: Dann steht die Währung Ihres Geschäfts fest.',
  connect: 'Verbinden',
  terms: {
    back: (percent: string) => `${percent} zurück`,
    rate: 'Ihre Kundschaft bekommt',
    rateOf: (back: string, points: string, unit: string) => `${back}: ${points} je ${unit}`,
    minSpend: 'Punkte ab einem Verkauf von',
    cap: 'Höchstens pro Verkauf',
    rounding: 'Bruchteile eines Punkts',
    minBalance: 'Einlösen ab',
    share: 'In 24 Stunden einlösbar',
    any: 'beliebig',
    noLimit: 'keine Grenze',
  },
  limits: {
    minSpend: (amount: string) => `ab einem Verkauf von ${amount}`,
    cap: (points: string) =>
      `höchstens ${points === '1' ? '1 Punkt' : `${points} Punkte`} pro Verkauf`,
    minBalance: (points: string) =>
      `einlösbar ab ${points === '1' ? '1 Punkt' : `${points} Punkten`}`,
    share: (percent: string) => `höchstens ${percent} der Punkte in 24 Stunden`,
  },
};
