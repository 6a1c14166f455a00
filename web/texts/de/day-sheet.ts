import type { daySheetTexts as english } from '../en/day-sheet.ts';
import type { Texts } from '../texts.ts';

/** What the till and the portal say of a day at the tills. */
export const daySheetTexts: Texts<typeof english> = {
  title: 'Tagesabschluss',
  of: (shop: string, day: string) => `${shop}, ${day}`,
  day: 'Tag',
  print: 'Drucken',
  who: 'Wer',
  total: 'Alle zusammen',
  somebody: 'Jemand aus dem Team',
  codes: 'Codes eingelöst',
  items: 'Davon ausgegeben',
  attached: 'Verkäufe zugeordnet',
  off: 'Rabatt',
  empty: 'An diesem Tag wurde nichts eingelöst.',
  clocks: (place: string) => `Der Tag beginnt und endet um Mitternacht in ${place}.`,
};
