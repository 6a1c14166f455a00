import type { customerTexts as english } from '../en/customers.ts';
import type { Texts } from '../texts.ts';

/** What the portal says of the customers of a shop. */
export const customerTexts: Texts<typeof english> = {
  list: 'Kundschaft',
  empty: 'Noch hat hier niemand Punkte gesammelt.',
  emptyText: 'Hier erscheint, wer mit bekannter E-Mail-Adresse oder Telefonnummer einkauft.',
  which: 'Anzeigen',
  filters: {
    all: 'Alle',
    owes: 'Mit noch abzuziehenden Punkten',
    unusual: 'Mit auffälligen Bewegungen',
  },
  emptyFilter: 'Auf niemanden trifft das zu.',
  unusualHint: 'Kürzlich mehr als fünf Verkäufe und Codes binnen 24 Stunden.',
  owed: (points: string) =>
    `${points === '1' ? '1 Punkt wird' : `${points} Punkte werden`} künftig abgezogen: ` +
    'Ein Einkauf wurde erstattet, nachdem seine Punkte eingelöst waren.',
  columns: {
    who: 'Kunde',
    balance: 'Punkte',
    worth: 'Wert',
    last: 'Letzte Bewegung',
  },
  status: { active: 'Aktiv', frozen: 'Gesperrt' },
  back: 'Kundschaft',
  title: 'Ohne Adresse',
  nobody: 'Ohne Adresse',
  points: 'Punkte',
  worth: (amount: string) => `${amount} wert`,
  lastVisit: 'Letzter Besuch',
  noVisit: 'noch keiner',
  visits: 'Besuche',
  average: (amount: string) => `${amount} im Schnitt`,
  since: 'Dabei seit',
  transactions: 'Letzte Verkäufe',
  noTransactions: 'Noch keine Verkäufe.',
  codes: 'Letzte Codes',
  noCodes: 'Noch keine Codes.',
};
