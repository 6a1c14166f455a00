import { createHash } from 'node:crypto';
import type { Specification } from './checker.ts';

// A wallet as the documentation describes it, one request at a time. It shares no code with the
// service: what both got wrong in the same way would not be found.

/** What is asked of a wallet, or happens to it. */
export type Action =
  /** `code` is the name of the code that it makes, if it makes one. */
  | { kind: 'confirm'; points: number; code: string }
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
  /** A worker finds that the time of the code has run out, and returns its points. */
  | { kind: 'expire'; code: string };

/** An action, and the idempotency key that it was sent with. */
export type WalletRequest = Action & { key?: string };

type CodeStatus = 'issued' | 'overdue' | 'used' | 'expired' | 'cancelled';
const RECENT: readonly CodeStatus[] = ['issued', 'overdue', 'used'];

/** Entries, newest first; `digest` stands for all of them in their order. */
type Entries = { text: string; digest: string; before: Entries | null };

export type Wallet = {
  balance: number;
  isFrozen: boolean;
  entries: Entries;
  codes: ReadonlyMap<string, { points: number; status: CodeStatus }>;
  /** The answers that are kept for repeats, by key. */
  kept: ReadonlyMap<string, string>;
};

/** What a tenant's rule says of redeeming. */
export type Terms = { minBalance: number; maxShare: number };

/** How many entries a history shows. */
export const HISTORY_LIMIT = 100;

type Result = { state: Wallet; answer: string };

/** A wallet that was credited these points by hand, and nothing else. */
export function walletOf(points: number, terms: Terms): Specification<Wallet, WalletRequest> {
  const empty = { text: '', digest: '', before: null };
  const initial: Wallet = {
    balance: points,
    isFrozen: false,
    entries: entered(empty, `+${points} admin_adjustment ${points}`),
    codes: new Map(),
    kept: new Map(),
  };
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
  const { balance, codes } = wallet;
  switch (action.kind) {
    case 'balance':
      return { state: wallet, answer: `${balance} ${wallet.isFrozen ? 'frozen' : 'active'}` };
    case 'history':
      return { state: wallet, answer: historyOf(wallet.entries) };
    case 'freeze':
    case 'unfreeze': {
      const isFrozen = action.kind === 'freeze';
      const state = isFrozen ? withoutOpenCodes(wallet) : wallet;
      return { state: { ...state, isFrozen }, answer: isFrozen ? 'frozen' : 'active' };
    }
    case 'adjust': {
      if (balance + action.points < 0) return { state: wallet, answer: insufficient(balance) };
      const state = moved(wallet, action.points, 'admin_adjustment');
      return { state, answer: `balance ${state.balance}` };
    }
    case 'preview': {
      const answer = refusalOf(wallet, action.points, terms);
      return { state: wallet, answer: answer ?? `${balance} to ${balance - action.points}` };
    }
    case 'confirm': {
      const refusal = refusalOf(wallet, action.points, terms);
      if (refusal !== undefined) return { state: wallet, answer: refusal };
      const { points, code } = action;
      if (codes.has(code)) return { state: wallet, answer: 'a code of its own' };
      const state = withCode(wallet, code, { points, status: 'issued' });
      return { state: moved(state, -points, 'redemption'), answer: `code ${code}` };
    }
    default:
      return applyToCode(wallet, action);
  }
}

/** A wallet that is frozen cancels the codes that can be used, the first issued first. */
function withoutOpenCodes(wallet: Wallet): Wallet {
  const open = [...wallet.codes].filter(([, { status }]) => status === 'issued');
  return open.reduce((state, [code, { points }]) => {
    const cancelled = withCode(state, code, { points, status: 'cancelled' });
    return moved(cancelled, points, 'redemption_expired');
  }, wallet);
}

type CodeAction = Extract<
  Action,
  { kind: 'lookup' | 'complete' | 'cancel' | 'overdue' | 'expire' }
>;

function applyToCode(wallet: Wallet, action: CodeAction): Result {
  const { code } = action;
  const found = wallet.codes.get(code);
  if (found === undefined) return { state: wallet, answer: 'no such code' };
  const { points, status } = found;
  const as = (next: CodeStatus) => withCode(wallet, code, { points, status: next });
  const isOver = status === 'overdue' || status === 'expired';
  if (action.kind === 'lookup') {
    return { state: wallet, answer: `${isOver ? 'expired' : status} ${points}` };
  }
  if (action.kind === 'complete' || action.kind === 'cancel') {
    const isInTime = status === 'overdue' && action.isInTime === true;
    const isUsable = status === 'issued' || (isInTime && !wallet.isFrozen);
    if (!isUsable) return { state: wallet, answer: isOver ? 'code_expired' : `code_${status}` };
    if (action.kind === 'complete') return { state: as('used'), answer: `used ${points}` };
    const state = moved(as('cancelled'), points, 'redemption_expired');
    return { state, answer: `cancelled ${points}` };
  }
  if (action.kind === 'overdue') {
    if (status !== 'issued') return { state: wallet, answer: 'not issued' };
    return { state: as('overdue'), answer: 'overdue' };
  }
  if (status !== 'overdue') return { state: wallet, answer: 'not overdue' };
  return { state: moved(as('expired'), points, 'redemption_expired'), answer: 'expired' };
}

/** Why points cannot be redeemed; undefined if they can. */
function refusalOf({ balance, isFrozen, codes }: Wallet, points: number, terms: Terms) {
  // The share is of the last 24 hours, thus also of what is in codes that are open or were used.
  const recent = [...codes.values()].reduce(
    (sum, code) => (RECENT.includes(code.status) ? sum + code.points : sum),
    0,
  );
  const share = Math.floor(((balance + recent) * terms.maxShare) / 100) - recent;
  const most = Math.max(0, Math.min(balance, share));
  if (isFrozen) return 'wallet_frozen';
  if (points > balance) return insufficient(balance);
  if (balance < terms.minBalance) return 'below_minimum_balance';
  return points > most ? `above_maximum_share ${most}` : undefined;
}

function insufficient(balance: number): string {
  return `insufficient_balance ${balance}`;
}

function moved(wallet: Wallet, points: number, reason: string): Wallet {
  const balance = wallet.balance + points;
  const sign = points > 0 ? '+' : '-';
  const text = `${sign}${Math.abs(points)} ${reason} ${balance}`;
  return { ...wallet, balance, entries: entered(wallet.entries, text) };
}

function entered(before: Entries, text: string): Entries {
  const digest = createHash('sha256').update(`${before.digest} ${text}`).digest('base64');
  return { text, digest, before };
}

function withCode(wallet: Wallet, code: string, is: { points: number; status: CodeStatus }) {
  return { ...wallet, codes: new Map([...wallet.codes, [code, is]]) };
}

function historyOf(entries: Entries): string {
  const texts: string[] = [];
  for (let at: Entries | null = entries; at !== null && at.text !== ''; at = at.before) {
    if (texts.length === HISTORY_LIMIT) break;
    texts.push(at.text);
  }
  return texts.join(', ');
}

function keyOf({ balance, isFrozen, entries, codes, kept }: Wallet): string {
  const statuses = [...codes].map(([code, { status }]) => `${code}:${status}`).sort();
  const keys = [...kept].map(([key, answer]) => `${key}:${answer}`).sort();
  return [balance, isFrozen, entries.digest, ...statuses, '', ...keys].join(' ');
}
