import { describe, expect, it } from 'vitest';
import { aModel, credited, settle, settled } from './a-model.ts';
import { Contradiction, type Model } from './model.ts';

/** A shop where points are valid for two months, in which Ada has 100 points less 30 in a code. */
function aShop(): Model {
  const model = aModel();
  model.promised(0, 2);
  credited(model, 's1', 100);
  model.confirmed({ person: 'ada', points: 30, code: 'c1' }, 'ok');
  return model;
}
const owed = (model: Model) => model.settledViews()[0]?.owed;

describe('what is owed after a month', () => {
  it('is what is left and in codes, and stays as it was', () => {
    const model = aShop();
    model.adjusted('ada', 20, 'ok');
    model.adjusted('ada', -5, 'ok');
    model.version('s1', settled(10));
    settle(model);
    model.endedMonth(3, null);
    const month = { earned: 120, reversed: 10, used: 35, expired: 0, left: 75 };
    const then = { months: [month], openCodes: 30, outstanding: 105 };
    expect(owed(model)).toEqual({ 3: then });
    model.cancelled('c1', 'ada', 'ok');
    expect(owed(model)).toEqual({ 3: then });
    model.endedMonth(3, null);
    const now = { ...month, used: 5, left: 105 };
    expect(owed(model)).toEqual({ 3: { months: [now], openCodes: 0, outstanding: 105 } });
  });

  it('is less what has expired, and nothing of it in a later month', () => {
    const model = aShop();
    model.endedMonth(4, null);
    const month = { earned: 100, reversed: 0, used: 30, expired: 70, left: 0 };
    expect(owed(model)?.[4]).toEqual({ months: [month], openCodes: 30, outstanding: 30 });
    // What comes back is taken by the same month.
    model.cancelled('c1', 'ada', 'ok');
    expect(model.settledViews()[0]?.wallets.ada?.balance).toBe(0);
    model.endedMonth(5, null);
    expect(owed(model)?.[5]).toEqual({ months: [], openCodes: 0, outstanding: 0 });
    model.endedMonth(4, null);
    const again = { ...month, used: 0, expired: 100 };
    expect(owed(model)?.[4]).toEqual({ months: [again], openCodes: 0, outstanding: 0 });
  });

  it('is not counted where nothing can be due, nobody has points, or the month is skipped', () => {
    const model = aShop();
    model.endedMonth(2, null);
    model.promised(0);
    model.endedMonth(9, null);
    expect(owed(model)).toEqual({ 2: null, 9: null });
    const empty = aModel();
    empty.promised(0, 2);
    empty.endedMonth(4, null);
    expect(owed(empty)).toEqual({ 4: null });
    const stopped = aShop();
    stopped.endedMonth(3, null);
    stopped.suspendedShop(true);
    expect(() => stopped.endedMonth(3, null)).toThrow(Contradiction);
    stopped.endedMonth(3, 'suspended');
    stopped.endedMonth(4, 'suspended');
    expect(owed(stopped)?.[3]).not.toBeNull();
    expect(owed(stopped)?.[4]).toBeNull();
  });
});
