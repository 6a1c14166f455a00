import { describe, expect, it } from 'vitest';
import {
  adjust,
  balance,
  cancel,
  complete,
  confirm,
  FIRST,
  history,
  isFine,
  op,
  overdue,
  refund,
  sale,
} from './some-operations.ts';

/** What was earned is spent when the sale is refunded, and owed from then on. */
const owing = [
  op(0, 1, sale(200), 'earned 300'),
  op(2, 3, adjust(-1_300), 'balance 0'),
  op(4, 5, refund(200), 'refunded'),
];
/** How the history of that goes on from there, newest first. */
const SPENT = '-1300 admin_adjustment 0, +300 purchase 1300';
/** Two codes for 200 and 100 points, when 300 are owed. */
const owingWithCodes = [
  op(0, 1, sale(200), 'earned 300'),
  op(2, 3, confirm(200), 'code A'),
  op(4, 5, confirm(100), 'code B'),
  op(6, 7, adjust(-1_000), 'balance 0'),
  op(8, 9, refund(200), 'refunded'),
];

describe('sales of a wallet', () => {
  it.each([
    {
      because: 'a campaign gives more for a sale, and nothing once its budget is used up',
      recorded: [
        op(0, 1, sale(200), 'earned 300'),
        op(2, 3, sale(101, 'T'), 'earned 101'),
        op(4, 5, history, `+101 purchase 1401, +300 purchase 1300, ${FIRST}`),
      ],
    },
    {
      because: 'two sales at once both find the budget unspent',
      recorded: [op(0, 9, sale(200), 'earned 300'), op(0, 9, sale(101, 'T'), 'earned 151')],
    },
    {
      because: 'a refund takes its share, and gives it back to the budget',
      recorded: [
        op(0, 1, sale(200), 'earned 300'),
        op(2, 3, refund(100), 'refunded'),
        op(4, 5, sale(100, 'T'), 'earned 150'),
        op(
          6,
          7,
          history,
          `+150 purchase 1300, -150 payment_refunded 1150, +300 purchase 1300, ${FIRST}`,
        ),
      ],
    },
    {
      because: 'a report of a refund that comes after a later one changes nothing',
      recorded: [
        op(0, 1, sale(200), 'earned 300'),
        op(2, 3, refund(100), 'refunded'),
        op(4, 5, refund(50), 'refunded'),
        op(6, 7, balance, '1150 active'),
      ],
    },
    {
      because: 'what a wallet owes is paid from what it gets next',
      recorded: [
        ...owing,
        op(6, 7, balance, '0 active owes 300'),
        op(8, 9, adjust(100), 'balance 0'),
        op(10, 11, balance, '0 active owes 200'),
        op(12, 13, sale(300, 'T'), 'earned 450'),
        op(14, 15, balance, '250 active'),
        op(
          16,
          17,
          history,
          '-200 payment_refunded 250, +450 purchase 450, -100 payment_refunded 0, ' +
            `+100 admin_adjustment 100, ${SPENT}, ${FIRST}`,
        ),
      ],
    },
    {
      because: 'the debt that began first is paid first',
      recorded: [
        op(0, 1, sale(200), 'earned 300'),
        op(2, 3, sale(100, 'T'), 'earned 100'),
        op(4, 5, adjust(-1_400), 'balance 0'),
        op(6, 7, { kind: 'refund', sale: 'T', refunded: 100 }, 'refunded'),
        op(8, 9, refund(100), 'refunded'),
        op(10, 11, adjust(120), 'balance 0'),
        op(
          12,
          13,
          history,
          '-20 payment_refunded 0, -100 payment_refunded 20, +120 admin_adjustment 120, ' +
            `-1400 admin_adjustment 0, +100 purchase 1400, +300 purchase 1300, ${FIRST}`,
        ),
      ],
    },
    {
      because: 'a code that returns pays what is owed, and one that is used does not',
      recorded: [
        ...owingWithCodes,
        op(10, 11, complete, 'used 200'),
        op(12, 13, balance, '0 active owes 300'),
        op(14, 15, { kind: 'cancel', code: 'B' }, 'cancelled 100'),
        op(16, 17, balance, '0 active owes 200'),
      ],
    },
    {
      because: 'codes that expire together pay what is owed together',
      recorded: [
        ...owingWithCodes,
        op(10, 11, overdue, 'overdue'),
        op(12, 13, { kind: 'overdue', code: 'B' }, 'overdue'),
        op(12, 20, { kind: 'expire', codes: ['B', 'A'] }, 'expired'),
        op(
          22,
          23,
          history,
          '-300 payment_refunded 0, +200 redemption_expired 300, +100 redemption_expired 100, ' +
            '-1000 admin_adjustment 0, -100 redemption 1000, -200 redemption 1100, ' +
            `+300 purchase 1300, ${FIRST}`,
        ),
      ],
    },
  ])('linearizable: $because', ({ recorded }) => {
    expect(isFine(recorded)).toBe(true);
  });

  it.each([
    {
      because: 'a budget that is overdrawn: the sale began when it was used up',
      recorded: [op(0, 1, sale(200), 'earned 300'), op(2, 3, sale(100, 'T'), 'earned 150')],
    },
    {
      because: 'a sale that earns nothing of a budget that was never used',
      recorded: [op(0, 1, sale(200), 'earned 200')],
    },
    {
      because: 'a refund that keeps the share of the budget',
      recorded: [
        op(0, 1, sale(200), 'earned 300'),
        op(2, 3, refund(200), 'refunded'),
        op(4, 5, sale(100, 'T'), 'earned 100'),
      ],
    },
    {
      because: 'a sale that is credited twice',
      recorded: [op(0, 1, sale(200), 'earned 300'), op(2, 3, balance, '1600 active')],
    },
    {
      because: 'a refund that takes nothing',
      recorded: [
        op(0, 1, sale(200), 'earned 300'),
        op(2, 3, refund(200), 'refunded'),
        op(4, 5, balance, '1300 active'),
      ],
    },
    {
      because: 'a refund that a confirm at the same time has not seen',
      recorded: [
        op(0, 1, sale(200), 'earned 300'),
        op(2, 9, refund(200), 'refunded'),
        op(2, 9, confirm(300), 'code A'),
        op(10, 11, balance, '1000 active'),
      ],
    },
    {
      because: 'a debt that is forgotten',
      recorded: [...owing, op(6, 7, balance, '0 active')],
    },
    {
      because: 'a debt that is paid twice',
      recorded: [
        ...owing,
        op(6, 9, adjust(300), 'balance 0'),
        op(6, 9, sale(200, 'T'), 'earned 300'),
        op(10, 11, balance, '0 active'),
      ],
    },
    {
      because: 'points that are kept although the wallet owes some',
      recorded: [...owing, op(6, 7, adjust(100), 'balance 100')],
    },
    {
      because: 'a code that returns and pays nothing',
      recorded: [
        ...owingWithCodes,
        op(10, 11, cancel, 'cancelled 200'),
        op(12, 13, balance, '200 active owes 300'),
      ],
    },
  ])('not linearizable: $because', ({ recorded }) => {
    expect(isFine(recorded)).toBe(false);
  });
});
