import { moved, paid, type Result, type Sale, type Wallet, withDebt } from './wallet-state.ts';

// What sales and their refunds do to a wallet. A sale earns a point for each minor unit, and by a
// campaign some more, until the budget of that is used up. A refund takes its share back; what the
// balance does not hold is owed, and paid from whatever the wallet gets next.

/** What happens at a till that sells. */
export type SaleAction =
  /**
   * A sale that is being decided finds out whether the budget is used up. That is read without a
   * lock: of sales at the same moment none sees what another one is given.
   */
  | { kind: 'look'; sale: string }
  /** `balance`: what its entry says, where that is known. It tells the place of the sale. */
  | { kind: 'sale'; sale: string; amount: number; balance?: number }
  /** `refunded` is what is refunded in all by then. */
  | { kind: 'refund'; sale: string; refunded: number };

/** A campaign that gives so many per cent of the points of a sale, until its budget is used up. */
export type Campaign = { percent: number; budget: number };

/** What comes of an action at a till. */
export function applyToSale(wallet: Wallet, action: SaleAction, campaign: Campaign): Result {
  switch (action.kind) {
    case 'look': {
      const looks = new Map(wallet.looks).set(action.sale, spentOf(wallet) >= campaign.budget);
      return { state: { ...wallet, looks }, answer: 'looked' };
    }
    case 'sale':
      return sold(wallet, action, campaign);
    case 'refund': {
      const known = wallet.sales.get(action.sale);
      if (known === undefined) return { state: wallet, answer: 'no such sale' };
      return { state: refundedTo(wallet, action, known), answer: 'refunded' };
    }
  }
}

function sold(
  wallet: Wallet,
  { sale, amount, balance }: Extract<SaleAction, { kind: 'sale' }>,
  { percent }: Campaign,
): Result {
  const looks = new Map(wallet.looks);
  const isSpent = looks.get(sale);
  if (isSpent === undefined || wallet.sales.has(sale)) return { state: wallet, answer: 'not now' };
  looks.delete(sale);
  const extra = isSpent ? 0 : Math.floor((amount * percent) / 100) - amount;
  const earned = amount + extra;
  const sales = new Map(wallet.sales).set(sale, { amount, earned, extra, refunded: 0 });
  const state = moved({ ...wallet, sales, looks }, earned, 'purchase');
  const isThere = balance === undefined || balance === state.balance;
  return { state: paid(state), answer: isThere ? `earned ${earned}` : 'elsewhere' };
}

/** The wallet once so much of a sale is refunded. A report of less is an older one. */
function refundedTo(wallet: Wallet, { sale, refunded }: Refund, known: Sale): Wallet {
  if (refunded <= known.refunded) return wallet;
  const { amount, earned } = known;
  const due = shareOf(earned, refunded, amount) - shareOf(earned, known.refunded, amount);
  const sales = new Map(wallet.sales).set(sale, { ...known, refunded });
  const taken = Math.min(due, wallet.balance);
  const owed = (wallet.debts.get(sale) ?? 0) + due - taken;
  const state = withDebt({ ...wallet, sales }, sale, owed);
  return taken === 0 ? state : moved(state, -taken, 'payment_refunded');
}

type Refund = Extract<SaleAction, { kind: 'refund' }>;

/** What the campaign has given, less the share that refunds took back. */
function spentOf({ sales }: Wallet): number {
  return [...sales.values()].reduce(
    (sum, { amount, extra, refunded }) => sum + extra - shareOf(extra, refunded, amount),
    0,
  );
}

/** So many parts of a whole, rounded down. */
function shareOf(points: number, part: number, whole: number): number {
  return Math.floor((points * Math.min(part, whole)) / whole);
}
