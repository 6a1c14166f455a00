import { describe, expect, it } from 'vitest';
import { historyOf, type Rule } from '../../../web/portal/rules/history.ts';

// Which rule was in effect when, told from the list of what was published.

const DAYS = ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10'] as const;
type Day = (typeof DAYS)[number];

const at = (day: Day) => `2026-03-${day}T00:00:00.000Z`;

/** A rule that was published on a day, from that day on or from another one. */
function aRule(status: Rule['status'], published: Day, from: Day = published): Rule {
  return {
    id: `${published}-${from}`,
    version: Number(published),
    active: false,
    status,
    ruleConfig: {
      conversionRate: 0.1,
      minSpendMinorUnits: 0,
      maxPointsPerTransaction: null,
      minBalanceToRedeem: 0,
      maxRedemptionPercentage: 100,
      roundingPolicy: 'floor',
      effectiveFrom: at(from),
    },
    createdBy: null,
    createdAt: at(published),
  };
}

describe('the story of rules', () => {
  it('is empty without one', () => {
    const nothing = { inEffect: undefined, planned: [], earlier: [], withdrawn: [] };
    expect(historyOf([])).toEqual(nothing);
  });

  it('says since when each was in effect, until when, and which one it replaced', () => {
    const [first, second, now] = [
      aRule('superseded', '01'),
      aRule('superseded', '03'),
      aRule('in_effect', '05'),
    ];
    const story = historyOf([now, second, first]);
    expect(story.inEffect).toEqual({ rule: now, since: at('05'), until: null, before: second });
    expect(story.earlier).toEqual([
      { rule: second, since: at('03'), until: at('05'), before: first },
      { rule: first, since: at('01'), until: at('03'), before: undefined },
    ]);
  });

  it('lists those to come in their order, the one in effect until the next of them', () => {
    const [now, next, later] = [
      aRule('in_effect', '01'),
      aRule('scheduled', '02', '07'),
      aRule('scheduled', '03', '09'),
    ];
    const story = historyOf([later, next, now]);
    expect(story.planned.map(({ since, before }) => [since, before])).toEqual([
      [at('07'), now],
      [at('09'), next],
    ]);
    expect(story.inEffect?.until).toBe(at('07'));
  });

  it('sets apart what another one replaced before its date', () => {
    const [former, planned, again] = [
      aRule('superseded', '01'),
      aRule('superseded', '02', '09'),
      aRule('in_effect', '03'),
    ];
    const story = historyOf([again, planned, former]);
    expect(story.withdrawn).toEqual([planned]);
    expect(story.inEffect).toMatchObject({ rule: again, before: former });
    expect(story.earlier).toMatchObject([{ rule: former, until: at('03') }]);
  });

  it('counts a rule with a date in the past from its publication on', () => {
    const story = historyOf([aRule('in_effect', '05', '01'), aRule('superseded', '03')]);
    expect(story.inEffect?.since).toBe(at('05'));
    expect(story.earlier).toMatchObject([{ since: at('03'), until: at('05') }]);
  });
});
