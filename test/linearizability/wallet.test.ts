import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Recorded } from './history.ts';
import {
  adjust,
  balance,
  cancel,
  complete,
  confirm,
  expire,
  FIRST,
  FOREVER,
  freeze,
  history,
  isFine,
  issued,
  lookup,
  op,
  overdue,
  refund,
  sale,
  take,
  wallet,
} from './some-operations.ts';
import type { WalletRequest } from './wallet.ts';

const taken = op(0, 1, take, 'code A');

describe('a wallet', () => {
  it.each([
    {
      because: 'confirmed, burned, read',
      recorded: [
        issued,
        op(2, 3, complete, 'used 300'),
        op(4, 5, balance, '700 active'),
        op(6, 7, history, `-300 redemption 700, ${FIRST}`),
        op(8, 9, lookup, 'used 300'),
        op(8, 9, complete, 'code_used'),
        op(8, 9, cancel, 'code_used'),
      ],
    },
    {
      because: 'of two confirms at once, the second meets what the first left',
      recorded: [
        op(0, 9, confirm(600), 'code A'),
        op(0, 9, confirm(600), 'insufficient_balance 400'),
      ],
    },
    {
      because: 'a request without an answer took effect, and its repeat got the code',
      recorded: [
        op(0, FOREVER, confirm(300, 'k')),
        op(1, 2, balance, '700 active'),
        op(3, 4, confirm(300, 'k'), 'code A (replayed)'),
        op(5, 6, balance, '700 active'),
      ],
    },
    {
      because: 'a request without an answer was never done, and its repeat was',
      recorded: [
        op(0, FOREVER, confirm(300, 'k')),
        op(0, FOREVER, confirm(300, 'k')),
        op(1, 2, balance, '1000 active'),
        op(3, 4, confirm(300, 'k'), 'code A'),
        op(5, 6, balance, '700 active'),
      ],
    },
    {
      because: 'an overdue code is expired at once, and its points return later',
      recorded: [
        issued,
        op(2, 3, overdue, 'overdue'),
        op(2, 30, expire, 'expired'),
        op(4, 5, lookup, 'expired 300'),
        op(6, 7, balance, '700 active'),
        op(8, 9, complete, 'code_expired'),
        op(20, 21, balance, '1000 active'),
      ],
    },
    {
      because: 'a code is burned by a request that came in time, and ended after its time',
      recorded: [
        issued,
        op(2, 9, complete, 'used 300'),
        op(3, 4, overdue, 'overdue'),
        op(3, FOREVER, expire),
        op(5, 6, lookup, 'expired 300'),
        op(10, 11, lookup, 'used 300'),
      ],
    },
    {
      because: 'a wallet that is frozen cancels its code, which is neither burned nor cancelled',
      recorded: [
        issued,
        op(2, 3, freeze, 'frozen'),
        op(6, 7, balance, '1000 frozen'),
        op(8, 9, lookup, 'cancelled 300'),
        op(8, 9, complete, 'code_cancelled'),
        op(8, 9, cancel, 'code_cancelled'),
        op(8, 9, overdue, 'not issued'),
        op(10, 11, history, `+300 redemption_expired 1000, -300 redemption 700, ${FIRST}`),
      ],
    },
    {
      because: 'a frozen wallet is adjusted',
      recorded: [
        issued,
        op(2, 3, complete, 'used 300'),
        op(4, 5, freeze, 'frozen'),
        op(6, 7, confirm(1), 'wallet_frozen'),
        op(8, 9, { kind: 'adjust', points: 5 }, 'balance 705'),
        op(10, 11, balance, '705 frozen'),
      ],
    },
    {
      because: 'a reward is taken twice, and then it is sold out',
      recorded: [
        taken,
        op(2, 3, take, 'reward_limit'),
        op(4, 5, complete, 'used 60'),
        op(6, 7, take, 'code B'),
        op(8, 9, { kind: 'complete', code: 'B' }, 'used 60'),
        op(10, 11, take, 'sold_out'),
        op(12, 13, balance, '880 active'),
      ],
    },
    {
      because: 'a code for a reward that ends unused puts one back',
      recorded: [
        taken,
        op(2, 3, overdue, 'overdue'),
        op(4, 5, take, 'code B'),
        op(6, 7, { kind: 'complete', code: 'B' }, 'used 60'),
        op(8, 9, take, 'sold_out'),
        op(10, 11, expire, 'expired'),
        op(12, 13, take, 'code C'),
      ],
    },
    {
      because: 'a reward takes nothing of the share of 24 hours',
      recorded: [taken, op(2, 3, confirm(565), 'above_maximum_share 564')],
    },
    {
      because: 'no reward for a frozen wallet, nor for one that does not hold its price',
      recorded: [
        op(0, 1, adjust(-950), 'balance 50'),
        op(2, 3, take, 'insufficient_balance 50'),
        op(4, 5, freeze, 'frozen'),
        op(6, 7, take, 'wallet_frozen'),
      ],
    },
  ])('linearizable: $because', ({ recorded }) => {
    expect(isFine(recorded)).toBe(true);
  });

  it.each([
    {
      because: 'a double burn',
      recorded: [issued, op(2, 9, complete, 'used 300'), op(2, 9, complete, 'used 300')],
    },
    {
      because: 'a code that is burned and cancelled',
      recorded: [issued, op(2, 9, complete, 'used 300'), op(2, 9, cancel, 'cancelled 300')],
    },
    {
      because: 'a cancelled code whose points also return at its expiry',
      recorded: [
        issued,
        op(2, 9, cancel, 'cancelled 300'),
        op(2, 3, overdue, 'overdue'),
        op(2, 30, expire, 'expired'),
      ],
    },
    {
      because: 'a burn of a code whose points have returned',
      recorded: [
        issued,
        op(2, 3, overdue, 'overdue'),
        op(2, 4, expire, 'expired'),
        op(5, 6, complete, 'used 300'),
      ],
    },
    {
      because: 'a burn that came after the time of the code',
      recorded: [
        issued,
        op(2, 3, overdue, 'overdue'),
        op(2, FOREVER, expire),
        op(5, 6, complete, 'used 300'),
      ],
    },
    {
      because: 'a lost update: two confirms, and one debit',
      recorded: [
        op(0, 9, confirm(300), 'code A'),
        op(0, 9, confirm(300), 'code B'),
        op(10, 11, balance, '700 active'),
      ],
    },
    {
      because: 'a stale read',
      recorded: [issued, op(2, 3, balance, '1000 active')],
    },
    {
      because: 'more redeemed than the wallet held',
      recorded: [op(0, 9, confirm(600), 'code A'), op(0, 9, confirm(600), 'code B')],
    },
    {
      because: 'points that returned twice',
      recorded: [
        issued,
        op(2, 3, overdue, 'overdue'),
        op(2, 4, expire, 'expired'),
        op(5, 6, balance, '1300 active'),
      ],
    },
    {
      because: 'points that never returned',
      recorded: [
        issued,
        op(2, 3, overdue, 'overdue'),
        op(2, 4, expire, 'expired'),
        op(5, 6, balance, '700 active'),
      ],
    },
    {
      because: 'one key, two codes',
      recorded: [
        op(0, 1, confirm(300, 'k'), 'code A'),
        op(2, 3, confirm(300, 'k'), 'code B (replayed)'),
      ],
    },
    {
      because: 'one key, done twice',
      recorded: [
        op(0, FOREVER, confirm(300, 'k')),
        op(1, 2, confirm(300, 'k'), 'code A'),
        op(3, 4, balance, '400 active'),
      ],
    },
    {
      because: 'one code for two confirms',
      recorded: [issued, op(2, 3, confirm(300), 'code A')],
    },
    {
      because: 'redeemed from a frozen wallet',
      recorded: [op(0, 1, freeze, 'frozen'), op(2, 3, confirm(300), 'code A')],
    },
    {
      because: 'one more of the stock than there is',
      recorded: [
        taken,
        op(2, 3, complete, 'used 60'),
        op(4, 5, take, 'code B'),
        op(6, 7, { kind: 'complete', code: 'B' }, 'used 60'),
        op(8, 9, take, 'code C'),
      ],
    },
    {
      because: 'a stock that nothing came back to',
      recorded: [
        taken,
        op(2, 3, cancel, 'cancelled 60'),
        op(4, 5, take, 'code B'),
        op(6, 7, { kind: 'complete', code: 'B' }, 'used 60'),
        op(8, 9, take, 'sold_out'),
      ],
    },
    {
      because: 'two open codes for one reward',
      recorded: [op(0, 9, take, 'code A'), op(0, 9, take, 'code B')],
    },
    {
      because: 'a reward that uses the share',
      recorded: [taken, op(2, 3, confirm(564), 'above_maximum_share 540')],
    },
    {
      because: 'an entry that the history leaves out',
      recorded: [issued, op(2, 3, history, '+1000 admin_adjustment 1000')],
    },
  ])('not linearizable: $because', ({ recorded }) => {
    expect(isFine(recorded)).toBe(false);
  });

  it('a history with one answer changed is refused', () => {
    const points = fc.integer({ min: 1, max: 400 });
    const action: fc.Arbitrary<WalletRequest> = fc.oneof(
      points.map((sum) => confirm(sum)),
      points.map((sum): WalletRequest => ({ kind: 'adjust', points: sum })),
      fc.constantFrom<WalletRequest>(balance, history, complete, cancel, lookup, overdue, expire),
      fc.constantFrom<WalletRequest>({ kind: 'freeze' }, { kind: 'unfreeze' }, take),
      points.map((sum) => adjust(-2 * sum)),
      fc.tuple(points, fc.constantFrom('S', 'T')).map(([sum, name]) => sale(sum, name)),
      points.map((sum) => refund(sum)),
    );
    const requests = fc.array(action, { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(requests, fc.nat(), (asked, at) => {
        const recorded = inTurn(asked);
        expect(isFine(recorded)).toBe(true);
        const changed = recorded.map((operation, nth) => {
          if (nth !== at % recorded.length) return operation;
          return { ...operation, answer: otherThan(operation.answer) };
        });
        expect(isFine(changed)).toBe(false);
      }),
      { numRuns: 500, seed: 1 },
    );
  });
});

/** The requests one after the other, each with its right answer. */
function inTurn(asked: readonly WalletRequest[]): Recorded[] {
  let state = wallet.initial;
  return asked.map((request, nth) => {
    const code = nth === 0 ? 'A' : `C${nth}`;
    const makesCode = request.kind === 'confirm' || request.kind === 'take';
    const named = makesCode ? { ...request, code } : request;
    if (request.kind === 'sale') {
      state = wallet.apply(state, { kind: 'look', sale: request.sale }).state;
    }
    const applied = wallet.apply(state, named);
    state = applied.state;
    return op(2 * nth, 2 * nth + 1, request, applied.answer);
  });
}

function otherThan(answer: string | undefined): string {
  // Any code is as good as another, as long as nobody asks for it.
  if (answer?.startsWith('code ')) return 'wallet_frozen';
  return (answer ?? '').replace(/\d+|$/, (digits) => `${digits}7`);
}
