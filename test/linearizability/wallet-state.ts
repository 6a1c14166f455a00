import { createHash } from 'node:crypto';

/** `overdue`: its time is over, and its points have not returned yet. */
export type CodeStatus = 'issued' | 'overdue' | 'used' | 'expired' | 'cancelled';
type Code = { points: number; status: CodeStatus; isReward: boolean };

/** What a sale earned, how much of that a campaign gave, and what is refunded of its amount. */
export type Sale = { amount: number; earned: number; extra: number; refunded: number };

/** Entries, newest first; `digest` stands for all of them in their order. */
type Entries = { text: string; digest: string; before: Entries | null };

export type Wallet = {
  balance: number;
  isFrozen: boolean;
  entries: Entries;
  codes: ReadonlyMap<string, Code>;
  sales: ReadonlyMap<string, Sale>;
  /** What refunded sales still owe, by their names, the oldest debt first. */
  debts: ReadonlyMap<string, number>;
  /** Of sales that are being decided: whether they have found the budget used up. */
  looks: ReadonlyMap<string, boolean>;
  /** The answers that are kept for repeats, by key. */
  kept: ReadonlyMap<string, string>;
};

/** What comes of a request. */
export type Result = { state: Wallet; answer: string };

/** How many entries a history shows. */
export const HISTORY_LIMIT = 100;

/** A wallet that was credited these points by hand, and nothing else. */
export function creditedWith(points: number): Wallet {
  const empty = { text: '', digest: '', before: null };
  return {
    balance: points,
    isFrozen: false,
    entries: entered(empty, `+${points} admin_adjustment ${points}`),
    codes: new Map(),
    sales: new Map(),
    debts: new Map(),
    looks: new Map(),
    kept: new Map(),
  };
}

/** The wallet after an entry: a credit, or of negative points a debit. */
export function moved(wallet: Wallet, points: number, reason: string): Wallet {
  const balance = wallet.balance + points;
  const sign = points > 0 ? '+' : '-';
  const text = `${sign}${Math.abs(points)} ${reason} ${balance}`;
  return { ...wallet, balance, entries: entered(wallet.entries, text) };
}

function entered(before: Entries, text: string): Entries {
  const digest = createHash('sha256').update(`${before.digest} ${text}`).digest('base64');
  return { text, digest, before };
}

/** The wallet after it has paid what it owes, as far as its balance goes, the oldest debt first. */
export function paid(wallet: Wallet): Wallet {
  let state = wallet;
  for (const [sale, owed] of wallet.debts) {
    const points = Math.min(owed, state.balance);
    if (points === 0) break;
    state = moved(withDebt(state, sale, owed - points), -points, 'payment_refunded');
  }
  return state;
}

/** The wallet with what a sale owes now. A debt that changes stays as old as it is. */
export function withDebt(wallet: Wallet, sale: string, owed: number): Wallet {
  const debts = new Map(wallet.debts).set(sale, owed);
  if (owed === 0) debts.delete(sale);
  return { ...wallet, debts };
}

/** The wallet with a code as it is now. */
export function withCode(wallet: Wallet, name: string, code: Code): Wallet {
  return { ...wallet, codes: new Map(wallet.codes).set(name, code) };
}

/** The entries as the service lists them. */
export function historyOf({ entries }: Wallet): string {
  const texts: string[] = [];
  for (let at: Entries | null = entries; at !== null && at.text !== ''; at = at.before) {
    if (texts.length === HISTORY_LIMIT) break;
    texts.push(at.text);
  }
  return texts.join(', ');
}

/** A text that two wallets share only if no later answer can tell them apart. */
export function keyOf({ balance, isFrozen, entries, codes, sales, ...wallet }: Wallet): string {
  const statuses = [...codes].map(([code, { status }]) => `${code}:${status}`).sort();
  const sold = [...sales].map(([sale, { extra, refunded }]) => `${sale}:${extra}:${refunded}`);
  const owed = [...wallet.debts].map(([sale, points]) => `${sale}:${points}`);
  const looks = [...wallet.looks].map(([sale, isSpent]) => `${sale}:${isSpent}`).sort();
  const kept = [...wallet.kept].map(([key, answer]) => `${key}:${answer}`).sort();
  const parts = [statuses, sold.sort(), owed, looks, kept].map((part) => part.join(' '));
  return [balance, isFrozen, entries.digest, ...parts].join('|');
}
