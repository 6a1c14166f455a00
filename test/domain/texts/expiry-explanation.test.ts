import { describe, expect, it } from 'vitest';
import { explainEntry } from '../../../domain/texts/explanation.ts';

describe('points that have expired', () => {
  const MARCH_2026 = 2026 * 12 + 2;
  const expiry = { month: MARCH_2026, earnedBy: MARCH_2026 - 12 };
  const entry = { points: 40, entryType: 'debit', reason: 'points_expired' } as const;

  it('are explained by their months, and by what can be used longer', () => {
    expect(explainEntry(entry, { expiry: { ...expiry, balanceBefore: 140 } })).toMatchObject({
      summary: '40 points expired.',
      steps: [
        'They were earned by March 2025 and could be used until the end of March 2026.',
        'Your balance was 140, and 100 of it can be used longer.',
      ],
    });
  });

  it('leave nothing to say of the rest where there is none', () => {
    const all = { ...expiry, balanceBefore: 1 };
    const { summary, steps } = explainEntry({ ...entry, points: 1 }, { expiry: all });
    expect(summary).toBe('1 point expired.');
    expect(steps).toHaveLength(1);
  });

  it('are all that is said where their months are not known', () => {
    const { summary, steps } = explainEntry(entry, {});
    expect({ summary, steps }).toEqual({ summary: '40 points expired.', steps: [] });
  });
});
