import { expect, it } from 'vitest';
import { explainEntry } from '../../../domain/texts/explanation.ts';

it.each([
  ['credit', '5 points were added by hand.', 'The shop brought your points over from before.'],
  ['debit', '5 points were taken off by hand.', 'They had been brought over from before in error.'],
] as const)('says of a %s of an import where it is from', (entryType, summary, step) => {
  const entry = { entryType, points: 5, reason: 'admin_adjustment' } as const;
  expect(explainEntry(entry, { isImported: true })).toMatchObject({ summary, steps: [step] });
});
