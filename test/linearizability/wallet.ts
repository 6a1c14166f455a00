import type { Specification } from './checker.ts';
import { applyToSale, type Campaign, type SaleAction } from './sales.ts';
import {
  type CodeStatus,
  creditedWith,
  historyOf,
  keyOf,
  moved,
  paid,
  type Result,
  type Wallet,
  withCode,
} from './wallet-state.ts';

// A wallet as the documentation describes it, one request at a time. It shares no code with the
// service: what both got wrong in the same way would not be found.

/** What is asked of a wallet, or happens to it. */
export type Action =
  /** `code` is the name of the code that it makes, if it makes one. */
  | { kind: 'confirm'; points: number; code: string }
  /** The consumer takes one of the reward. */
  | { kind: 'take'; code: string }
  | { kind: 'preview'; points: number }
  | { kind: 'lookup'; code: string }
  /**
   * `isInTime`: it began before the code was overdue, and was not told otherwise. The clock is read
   * when the code is found, so such a request may take effect a moment after the time is over.
   */
  | { kind: 'complete' | 'cancel'; code: string; isInTime?: boolean }
  | { kind: 'adjust'; points: number }
  | { kind: 'freeze' | 'unfreeze' | 'balance' | 'history' }
  /** The time of the code runs out. */
  | { kind: 'overdue'; code: string }
  /** A worker finds that the time of codes has run out, and returns their points at once. */
  | { kind: 'expire'; codes: readonly string[] }
  | SaleAction;

/** An action, and the idempotency key that it was sent with. */
export type WalletRequest = Action & { key?: string };

/** Codes whose points are not back. */
const RECENT: readonly CodeStatus[] = ['issued', 'overdue', 'used'];

/** What a tenant's rule says of redeeming, its reward and its campaign. */
export type Terms = {
  minBalance: number;
  maxShare: number;
  reward: { price: number; stock: number };
  campaign: Campaign;
};

/** A wallet that was credited these points by hand, and nothing else. */
export function walletOf(points: number, terms: Terms): Specification<Wallet, WalletRequest> {
  const initial = creditedWith(points);
  return { initial, apply: (wallet, request) => once(wallet, request, terms), keyOf };
}

/** A request whose key has an answer gets that answer, and changes nothing. */
function once(wallet: Wallet, { key, ...action }: WalletRequest, terms: Terms): Result {
  if (key === undefined) return apply(wallet, action, terms);
  const kept = wallet.kept.get(key);
  if (kept !== undefined) return { state: wallet, answer: `${kept} (replayed)` };
  const { state, answer } = apply(wallet, action, terms);
  // A wallet may be unfrozen at any time, so that refusal is not kept.
  if (answer === 'wallet_frozen') return { state, answer };
  return { state: { ...state, kept: new Map([...state.kept, [key, answer]]) }, answer };
}

function apply(wallet: Wallet, action: Action, terms: Terms): Result {
  const { balance } = wallet;
  switch (action.kind) {
    case 'balance':
      return { state: wallet, answer: shown(wallet) };
    case 'history':
      return { state: wallet, answer: historyOf(wallet) };
    case 'freeze':
    case 'unfreeze': {
      const isFrozen = action.kind === 'freeze';
      const state = isFrozen ? withoutOpenCodes(wallet) : wallet;
      return { state: { ...state, isFrozen }, answer: isFrozen ? 'frozen' : 'active' };
    }
    case 'adjust': {
      if (balance + action.points < 0) return { state: wallet, answer: insufficient(balance) };
      const state = paid(moved(wallet, action.points, 'admin_adjustment'));
      return { state, answer: `balance ${state.balance}` };
    }
    case 'preview': {
      const answer = refusalOf(wallet, action.points, terms);
      return { state: wallet, answer: answer ?? `${balance} to ${balance - action.points}` };
    }
    case 'confirm': {
      const refusal = refusalOf(wallet, action.points, terms);
      if (refusal !== undefined) return { state: wallet, answer: refusal };
      return issued(wallet, action.code, { points: action.points, isReward: false });
    }
    case 'take': {
      const refusal = refusalToTake(wallet, terms);
      if (refusal !== undefined) return { state: wallet, answer: refusal };
      return issued(wallet, action.code, { points: terms.reward.price, isReward: true });
    }
    case 'expire':
      return expired(wallet, action.codes);
    case 'look':
    case 'sale':
    case 'refund':
      return applyToSale(wallet, action, terms.campaign);
    default:
      return applyToCode(wallet, action);
  }
}

function shown({ balance, isFrozen, debts }: Wallet): string {
  const owed = [...debts.values()].reduce((sum, points) => sum + points, 0);
  return `${balance} ${isFrozen ? 'frozen' : 'active'}${owed > 0 ? ` owes ${owed}` : ''}`;
}

function issued(wallet: Wallet, code: string, is: { points: number; isReward: boolean }): Result {
  if (wallet.codes.has(code)) return { state: wallet, answer: 'a code of its own' };
  const state = withCode(wallet, code, { ...is, status: 'issued' });
  return { state: moved(state, -is.points, 'redemption'), answer: `code ${code}` };
}

/** A wallet that is frozen cancels the codes that can be used, the first issued first. */
function withoutOpenCodes(wallet: Wallet): Wallet {
  const open = [...wallet.codes].flatMap(([code, { status }]) => (status === 'issued' ? code : []));
  return returned(wallet, open, 'cancelled');
}

/** Codes end unused: their points return, and then pay what the wallet owes. */
function returned(wallet: Wallet, names: readonly string[], status: CodeStatus): Wallet {
  const back = names.reduce((state, name) => {
    const code = state.codes.get(name);
    if (code === undefined) return state;
    return moved(withCode(state, name, { ...code, status }), code.points, 'redemption_expired');
  }, wallet);
  return paid(back);
}

function expired(wallet: Wallet, names: readonly string[]): Result {
  const areOverdue = names.every((name) => wallet.codes.get(name)?.status === 'overdue');
  if (!areOverdue) return { state: wallet, answer: 'not overdue' };
  return { state: returned(wallet, names, 'expired'), answer: 'expired' };
}

type CodeAction = Extract<Action, { kind: 'lookup' | 'complete' | 'cancel' | 'overdue' }>;

function applyToCode(wallet: Wallet, action: CodeAction): Result {
  const { code } = action;
  const found = wallet.codes.get(code);
  if (found === undefined) return { state: wallet, answer: 'no such code' };
  const { points, status } = found;
  const as = (next: CodeStatus) => withCode(wallet, code, { ...found, status: next });
  const isOver = status === 'overdue' || status === 'expired';
  if (action.kind === 'lookup') {
    return { state: wallet, answer: `${isOver ? 'expired' : status} ${points}` };
  }
  if (action.kind === 'overdue') {
    if (status !== 'issued') return { state: wallet, answer: 'not issued' };
    return { state: as('overdue'), answer: 'overdue' };
  }
  const isInTime = status === 'overdue' && action.isInTime === true;
  const isUsable = status === 'issued' || (isInTime && !wallet.isFrozen);
  if (!isUsable) return { state: wallet, answer: isOver ? 'code_expired' : `code_${status}` };
  if (action.kind === 'complete') return { state: as('used'), answer: `used ${points}` };
  return { state: returned(wallet, [code], 'cancelled'), answer: `cancelled ${points}` };
}

/** Why points cannot be redeemed; undefined if they can. */
function refusalOf({ balance, isFrozen, codes }: Wallet, points: number, terms: Terms) {
  // The share is of the last 24 hours, thus also of what is in codes that are open or were used.
  // Rewards have their own price, and do not count.
  const recent = [...codes.values()].reduce(
    (sum, code) => (RECENT.includes(code.status) && !code.isReward ? sum + code.points : sum),
    0,
  );
  const share = Math.floor(((balance + recent) * terms.maxShare) / 100) - recent;
  const most = Math.max(0, Math.min(balance, share));
  if (isFrozen) return 'wallet_frozen';
  if (points > balance) return insufficient(balance);
  if (balance < terms.minBalance) return 'below_minimum_balance';
  return points > most ? `above_maximum_share ${most}` : undefined;
}

/** Why the reward cannot be had; undefined if it can. A code that ends unused puts one back. */
function refusalToTake({ balance, isFrozen, codes }: Wallet, { reward }: Terms) {
  const own = [...codes.values()].filter(({ isReward }) => isReward);
  const taken = own.filter(({ status }) => RECENT.includes(status)).length;
  if (isFrozen) return 'wallet_frozen';
  if (reward.price > balance) return insufficient(balance);
  if (own.some(({ status }) => status === 'issued')) return 'reward_limit';
  return taken >= reward.stock ? 'sold_out' : undefined;
}

function insufficient(balance: number): string {
  return `insufficient_balance ${balance}`;
}
