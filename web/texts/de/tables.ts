import type { tableTexts as english } from '../en/tables.ts';
import type { Texts } from '../texts.ts';

/** Was das Händlerportal zur Summe einer Liste und zu einer ihrer Zeilen sagt. */
export const tableTexts: Texts<typeof english> = {
  sales: {
    count: (count: number, shown: string) => (count === 1 ? '1 Verkauf' : `${shown} Verkäufe`),
    many: (most: string) =>
      `Mehr als ${most} Verkäufe: Wählen Sie einen kürzeren Zeitraum für die Summen.`,
  },
  codes: {
    count: (count: number, shown: string) => (count === 1 ? '1 Code' : `${shown} Codes`),
    many: (most: string) =>
      `Mehr als ${most} Codes: Wählen Sie einen kürzeren Zeitraum für die Summen.`,
  },
  customers: {
    count: (count: number, shown: string) => (count === 1 ? '1 Person' : `${shown} Personen`),
    many: (most: string) => `Mehr als ${most} Personen.`,
  },
  titles: { search: 'Suche', sale: 'Verkauf', code: 'Code', customer: 'Kunde' },
  back: 'Zurück',
  asPage: 'Als Seite öffnen',
  refunded: 'Erstattet',
  reversed: 'Zurückgebuchte Punkte',
  owed: 'Noch abzuziehende Punkte',
  provider: 'Kassensystem',
  until: 'Einlösbar bis',
  usedBy: 'Eingelöst durch',
};
