import { describe, expect, it } from 'vitest';
import { aModel, credited } from './a-model.ts';
import { Contradiction } from './model.ts';

const attempt = (person: string, code: string, answer: string) => ({ person, code, answer });

describe('a reward', () => {
  it('is got by one of two who want the last one, and goes back unused', () => {
    const model = aModel();
    model.signedIn('bob', { email: 'bob.0', phone: null, isVerified: true });
    credited(model, 's1', 100);
    model.reward({ isItem: true, price: 30, stock: 1 });
    const both = [attempt('ada', 'c1', 'ok'), attempt('ada', 'c2', 'ok')];
    expect(() => model.gotReward(0, both)).toThrow(Contradiction);
    model.gotReward(0, [attempt('ada', 'c1', 'ok'), attempt('ada', 'c2', 'reward_limit')]);
    model.gotReward(0, [attempt('bob', 'c3', 'insufficient_balance')]);
    const [view] = model.settledViews();
    expect(view).toMatchObject({ rewards: [1], wallets: { ada: { balance: 70 } } });
    model.cancelled('c1', 'ada', 'ok');
    expect(model.settledViews()[0]).toMatchObject({ rewards: [0] });
    model.gotReward(0, [attempt('ada', 'c4', 'ok')]);
    model.burned('c4', null, 'ok');
    model.gotReward(0, [attempt('ada', 'c5', 'sold_out')]);
    model.endedReward(0);
    model.gotReward(0, [attempt('ada', 'c6', 'reward_ended')]);
  });
});
