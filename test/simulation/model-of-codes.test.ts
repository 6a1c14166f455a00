import { describe, expect, it } from 'vitest';
import { aModel, credited, ends, settle, settled } from './a-model.ts';
import type { Closing } from './model/closing.ts';
import type { Answer } from './model/redeeming.ts';
import { Contradiction } from './model.ts';

describe('a code', () => {
  it.each([
    { expiredCodes: 'refund', because: 'as those of a code that expires' },
    { expiredCodes: 'forfeit', because: 'although those of a code that expires do not' },
  ] as const)('returns the points of a cancelled code: $because', ({ expiredCodes }) => {
    const model = aModel({ policies: { expiredCodes, refunds: 'reverse' } });
    credited(model, 's1', 100);
    model.confirmed({ person: 'ada', points: 30, code: 'c1' }, 'ok');
    model.cancelled('c1', 'bob', 'NOT_FOUND');
    model.cancelled('c1', 'ada', 'ok');
    expect(ends(model)).toEqual([100]);
    model.cancelled('c1', 'ada', 'code_cancelled');
    model.burned('c1', null, 'code_cancelled');
    model.lookedUp('c1', 'expired');
    expect(() => model.cancelled('c1', 'ada', 'ok')).toThrow(Contradiction);
  });

  it('pays with a cancelled code what refunds could not take', () => {
    const model = aModel();
    credited(model, 's1', 100);
    model.confirmed({ person: 'ada', points: 80, code: 'c1' }, 'ok');
    model.version('s1', settled(50));
    expect(ends(model)).toEqual([0]);
    settle(model);
    model.cancelled('c1', 'ada', 'ok');
    expect(ends(model)).toEqual([50]);
  });

  it.each(['froze', 'suspended'] as const)('is cancelled when its consumer was %s', (stop) => {
    const model = aModel({ policies: { expiredCodes: 'forfeit', refunds: 'reverse' } });
    credited(model, 's1', 100);
    for (const code of ['c1', 'c2', 'c3']) {
      model.confirmed({ person: 'ada', points: 30, code }, 'ok');
    }
    model.burned('c1', null, 'ok');
    model.overdue('c2');
    model[stop]('ada', true);
    // The points of one whose time was over come back as well, if it had not expired before.
    expect(ends(model)).toEqual([40, 70]);
    model.burned('c3', null, 'code_cancelled');
    model.lookedUp('c2', 'expired');
    model[stop]('ada', false);
    expect(ends(model)).toEqual([40, 70]);
    model.burned('c3', null, 'code_cancelled');
    expect(() => model.burned('c3', null, 'ok')).toThrow(Contradiction);
  });

  it('is not used in a suspended shop, and returns its points', () => {
    const model = aModel({ policies: { expiredCodes: 'forfeit', refunds: 'reverse' } });
    credited(model, 's1', 100);
    model.confirmed({ person: 'ada', points: 30, code: 'c1' }, 'ok');
    model.confirmed({ person: 'ada', points: 20, code: 'c2' }, 'ok');
    model.suspendedShop(true);
    model.confirmed({ person: 'ada', points: 1, code: 'c3' }, 'tenant_suspended');
    model.burned('c1', null, 'tenant_suspended');
    model.lookedUp('c1', 'issued');
    model.cancelled('c1', 'ada', 'ok');
    model.overdue('c2');
    expect(ends(model)).toEqual([100]);
    model.suspendedShop(false);
    expect(ends(model)).toEqual([100]);
  });

  it('cancels no code that was used or has expired', () => {
    const model = aModel();
    credited(model, 's1', 100);
    model.confirmed({ person: 'ada', points: 30, code: 'c1' }, 'ok');
    model.confirmed({ person: 'ada', points: 30, code: 'c2' }, 'ok');
    model.burned('c1', null, 'ok');
    model.cancelled('c1', 'ada', 'code_used');
    model.overdue('c2');
    model.cancelled('c2', 'ada', 'code_expired');
    expect(ends(model)).toEqual([70]);
  });

  it('lets one of a burn, a cancellation and the time end a code', () => {
    const raced = (...closings: [Closing['kind'], Answer][]) => {
      const model = aModel({ policies: { expiredCodes: 'forfeit', refunds: 'reverse' } });
      credited(model, 's1', 100);
      model.confirmed({ person: 'ada', points: 30, code: 'c1' }, 'ok');
      model.raced(
        'c1',
        closings.map(([kind, answer]): Closing => {
          if (kind === 'burn') return { kind, by: null, answer };
          return kind === 'cancel' ? { kind, by: 'ada', answer } : { kind, answer: 'ok' };
        }),
      );
      return ends(model);
    };
    expect(raced(['burn', 'ok'], ['cancel', 'code_used'], ['burn', 'code_used'])).toEqual([70]);
    expect(raced(['burn', 'code_cancelled'], ['cancel', 'ok'])).toEqual([100]);
    expect(raced(['burn', 'code_expired'], ['expire', 'ok'])).toEqual([70]);
    expect(() => raced(['burn', 'ok'], ['cancel', 'ok'])).toThrow(Contradiction);
    expect(() => raced(['cancel', 'ok'], ['expire', 'ok'])).toThrow(Contradiction);
    expect(() => raced(['burn', 'code_expired'], ['cancel', 'code_expired'])).toThrow();
  });
});
