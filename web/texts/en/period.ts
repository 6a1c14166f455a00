/** How a period is chosen. */
export const periodTexts = {
  label: 'Time',
  names: {
    all: 'Any time',
    today: 'Today',
    yesterday: 'Yesterday',
    '7': 'Last 7 days',
    '30': 'Last 30 days',
    '90': 'Last 90 days',
    '365': 'Last 12 months',
    month: 'This month',
    'last-month': 'Last month',
    custom: 'From … to …',
  },
  from: 'From',
  to: 'To',
  clocks: (place: string) =>
    `Days and times ${place === 'UTC' ? 'in' : 'by the clocks of'} ${place}.`,
} as const;
