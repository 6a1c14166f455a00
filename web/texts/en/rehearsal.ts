import { pointsText } from '../../shared/points-text.ts';

const customers = (count: number) => (count === 1 ? '1 customer' : `${count} customers`);

/** What the portal says when a rule is tried over past sales. */
export const rehearsalTexts = {
  begin: (days: number) => `Try it on the last ${days} days`,
  again: 'Try this one',
  running: 'Going through your sales, one by one…',
  title: (days: number) => `On the sales of the last ${days} days`,
  other: (back: string) => `This is what was tried: ${back}. The rule above has changed since.`,
  failed: 'That could not be finished. Try again.',
  nothing:
    'No sale of these days had a known customer, so there is nothing to compare. Try again when ' +
    'there are some.',
  more: (amount: string) => `${amount} more`,
  less: (amount: string) => `${amount} less`,
  same: 'As much as it was',
  points: (before: string, after: string) => `Customers got ${before}; they would get ${after}.`,
  percent: (percent: string) => `That is ${percent} of what they got, after refunds.`,
  who: (more: number, fewer: number, same: number) =>
    `${customers(more)} would get more, ${fewer} fewer, ${same} the same.`,
  leftOut: (sales: number) =>
    sales === 1
      ? '1 sale is left out, because no rule gives points for it.'
      : `${sales} sales are left out, because no rule gives points for them.`,
  chart: 'Points by week',
  series: ['They got', 'They would get'],
  week: 'Week from',
  examples: 'Where it differs most',
  example: (amount: string, before: number, after: number) =>
    `A sale of ${amount}: ${pointsText(after)} instead of ${before}`,
} as const;
