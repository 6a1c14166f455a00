import { describe, expect, it } from 'vitest';
import { aModel, sell, settle, settled } from './a-model.ts';
import { Contradiction } from './model.ts';

describe('a sale that named nobody', () => {
  it('is attached at the till once and to one person', () => {
    const model = aModel();
    model.signedIn('bob', { email: 'bob.0', phone: null, isVerified: true });
    sell(model, 's1', 100, settled(40, null));
    settle(model);
    const to = (person: string, answer: string, points: number | null = null) => ({
      by: 'till' as const,
      person,
      answer,
      points,
    });
    model.gave('s1', [to('ada', 'till_attach_off')]);
    model.promised(0);
    expect(() => model.gave('s1', [to('ada', 'ok', 100), to('bob', 'ok', 100)])).toThrow(
      Contradiction,
    );
    expect(() => model.gave('s1', [to('ada', 'ok', 60)])).toThrow(Contradiction);
    model.gave('s1', [to('ada', 'sale_taken'), to('bob', 'ok', 100), to('bob', 'ok', 100)]);
    model.gave('s1', [to('bob', 'ok', 100)]);
    model.version('s1', settled(100, null));
    settle(model);
    const [view] = model.settledViews();
    expect(view?.wallets).toMatchObject({ bob: { balance: 0 } });
    expect(view?.sales.s1).toMatchObject({ person: 'bob', points: 100, reversed: 100 });
    sell(model, 's2', 100);
    settle(model);
    model.gave('s2', [to('bob', 'sale_taken')]);
    for (const name of ['s3', 's4', 's5', 's6', 's7']) {
      sell(model, name, 100, settled(0, null));
      settle(model);
      const isFifth = name === 's7';
      model.gave(name, [isFifth ? to('bob', 'member_limit') : to('bob', 'ok', 100)]);
    }
    expect(model.settledViews()[0]?.wallets.bob?.balance).toBe(400);
  });
});
