import type { codeTexts as english } from '../en/codes.ts';
import type { Texts } from '../texts.ts';

/** Was das Händlerportal zu Codes sagt. */
export const codeTexts: Texts<typeof english> = {
  list: 'Codes',
  empty: 'Noch keine Codes.',
  emptyText: 'Wer Punkte hat, erstellt in der App einen Code und spart damit an Ihrer Kasse.',
  emptyFilter: 'Keine passenden Codes.',
  columns: {
    issued: 'Erstellt',
    who: 'Kunde',
    worth: 'Wert',
    points: 'Punkte',
    status: 'Status',
    used: 'Eingelöst',
  },
  status: { issued: 'Einlösbar', used: 'Eingelöst', expired: 'Abgelaufen' },
  cancelled: 'Storniert',
  by: (who: string) => `durch ${who}`,
  day: 'Tagesabschluss',
  filter: 'Status',
  all: 'Alle',
};
