import type { periodTexts as english } from '../en/period.ts';
import type { Texts } from '../texts.ts';

/** How a period is chosen. */
export const periodTexts: Texts<typeof english> = {
  label: 'Zeitraum',
  names: {
    all: 'Gesamte Zeit',
    today: 'Heute',
    yesterday: 'Gestern',
    '7': 'Letzte 7 Tage',
    '30': 'Letzte 30 Tage',
    '90': 'Letzte 90 Tage',
    '365': 'Letzte 12 Monate',
    month: 'Dieser Monat',
    'last-month': 'Letzter Monat',
    custom: 'Von … bis …',
  },
  from: 'Von',
  to: 'Bis',
  clocks: (place: string) =>
    `Tage und Uhrzeiten ${place === 'UTC' ? '' : 'nach der Zeit '}in ${place}.`,
};
