import { describe, expect, it } from 'vitest';
import { ADA, aModel, credited, ends, sell, settle, settled } from './a-model.ts';
import { Contradiction } from './model.ts';

const GHOST = 'ada-0';
const erased = (model: ReturnType<typeof aModel>) =>
  model.settledViews().map((view) => view.erased[GHOST]);

describe('somebody who was erased', () => {
  it('has nothing, owes nothing, and moves no more', () => {
    const model = aModel();
    credited(model, 's1', 100);
    model.confirmed({ person: 'ada', points: 30, code: 'c1' }, 'ok');
    model.erased('ada', GHOST);
    const left = {
      balance: 0,
      owed: 0,
      status: 'frozen',
      entries: {
        admin_adjustment: -100,
        'purchase s1': 100,
        'redemption c1': -30,
        'redemption_expired c1': 30,
      },
    };
    expect(erased(model)).toEqual([left]);
    model.version('s1', settled(60));
    settle(model);
    model.version('s1', settled(20));
    expect(erased(model)).toEqual([left]);
    expect(() => model.burned('c1', null, 'ok')).toThrow(Contradiction);
  });

  it('may have got the points of a sale before, or not, which is then anonymous', () => {
    const model = aModel();
    sell(model, 's1', 100);
    model.erased('ada', GHOST);
    const outcomes = model.settledViews().map(({ sales }) => sales.s1?.outcome);
    expect(outcomes.sort()).toEqual(['credited', 'stored_anonymous']);
  });

  it('is somebody new at the next sign-in, to whom sales of meanwhile are given', () => {
    const model = aModel();
    credited(model, 's1', 100);
    model.erased('ada', GHOST);
    credited(model, 's2', 7);
    expect(ends(model)).toEqual([undefined]);
    model.signedIn('ada', { ...ADA, isVerified: true });
    expect(ends(model)).toEqual([7]);
    expect(model.settledViews()[0]?.counts.consumers).toBe(2);
  });

  it('asks an administrator, who was an operator, and nobody while suspended', () => {
    const model = aModel();
    model.askedInTeam('invite', 'ada', 'ok');
    model.askedInTeam('accept', 'ada', 'ok');
    model.askedToErase('ada', 'person', 'not_erasable');
    model.askedToErase('ada', 'admin', 'ok');
    model.suspended('ada', true);
    expect(() => model.askedToErase('ada', 'person', 'ok')).toThrow(Contradiction);
  });
});
