import { pointsText } from '../../shared/points-text.ts';
import type { rehearsalTexts as english } from '../en/rehearsal.ts';
import type { Texts } from '../texts.ts';

/** What the portal says when a rule is tried over past sales. */
export const rehearsalTexts: Texts<typeof english> = {
  begin: (days: number) => `Mit den letzten ${days} Tagen testen`,
  again: 'Diese testen',
  running: 'Ihre Verkäufe werden durchgerechnet, einer nach dem anderen …',
  title: (days: number) => `Mit den Verkäufen der letzten ${days} Tage`,
  other: (back: string) => `Getestet wurde ${back}. Die Regel oben ist inzwischen eine andere.`,
  failed: 'Das ließ sich nicht abschließen. Versuchen Sie es noch einmal.',
  nothing:
    'Bei keinem Verkauf dieser Tage war bekannt, wer einkauft. Es gibt also nichts zu ' +
    'vergleichen. Versuchen Sie es wieder, sobald es solche Verkäufe gibt.',
  more: (amount: string) => `${amount} mehr`,
  less: (amount: string) => `${amount} weniger`,
  same: 'So viel wie bisher',
  points: (before: string, after: string) => `Bisher gab es ${before}, damit wären es ${after}.`,
  percent: (percent: string) => `Das sind ${percent} gegenüber bisher, nach Rückerstattungen.`,
  who: (more: number, fewer: number, same: number) =>
    `Mehr bekämen ${people(more)}, weniger ${people(fewer)}, gleich viel ${people(same)}.`,
  leftOut: (sales: number) =>
    sales === 1
      ? '1 Verkauf ist nicht dabei, weil ihm keine Regel Punkte gibt.'
      : `${sales} Verkäufe sind nicht dabei, weil ihnen keine Regel Punkte gibt.`,
  chart: 'Punkte pro Woche',
  series: ['Bisher', 'Mit dieser Regel'],
  week: 'Woche ab',
  examples: 'Wo es sich am meisten unterscheidet',
  example: (amount: string, before: number, after: number) =>
    `Ein Verkauf über ${amount}: ${pointsText(after)} statt ${before}`,
};

function people(count: number): string {
  return count === 1 ? '1 Person' : `${count} Personen`;
}
