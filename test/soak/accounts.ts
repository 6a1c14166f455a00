import type { Sale } from '../../bench/sales.ts';
import type { Provider } from '../../domain/payment.ts';

/** How often each operation was begun. An approved sale is also completed. */
export type Counts = {
  alpha_sales: number;
  alpha_approved_sales: number;
  beta_sales: number;
  beta_pending_sales: number;
  refunds: number;
  confirms: number;
  burns: number;
  codes_made_overdue: number;
  reads_of_wallets: number;
  reads_of_history: number;
};

/** What happened at the providers, and what the service has answered. */
export type Accounts = {
  counts: Counts;
  /** Every sale by its id, as it is now at its provider; amounts are points. */
  sales: Map<string, Sale>;
  /** The sales that can be refunded. */
  settled: { id: string; provider: Provider }[];
  /** The codes of the confirms that were answered. */
  codes: string[];
  /** Those that were used, as an operator was told. */
  burned: Set<string>;
  /** How many confirms and burns never got an answer; they may have taken effect. */
  unanswered: { confirms: number; burns: number };
  /** Answers that nothing explains. */
  unexpected: string[];
};

/** Accounts of nothing. */
export function newAccounts(): Accounts {
  return {
    counts: {
      alpha_sales: 0,
      alpha_approved_sales: 0,
      beta_sales: 0,
      beta_pending_sales: 0,
      refunds: 0,
      confirms: 0,
      burns: 0,
      codes_made_overdue: 0,
      reads_of_wallets: 0,
      reads_of_history: 0,
    },
    sales: new Map(),
    settled: [],
    codes: [],
    burned: new Set(),
    unanswered: { confirms: 0, burns: 0 },
    unexpected: [],
  };
}
