/** How much data a built database holds. Everything else follows from these. */
export type Size = {
  name: string;
  wallets: number;
  /** Each has one connection. */
  tenants: number;
};

/** Ledger entries of every wallet, which are written in as many passes. */
export const ENTRIES_PER_WALLET = 10;
/** Consumer 0 has more entries, and so has the audit log, for lists of a hundred pages. */
export const LONG_HISTORY = 1_000;
/** Every so many-th consumer buys at tenant 0, which is therefore a large one. */
const AT_TENANT_0_EVERY = 19;

export const SMALL: Size = { name: 'small', wallets: 10_000, tenants: 100 };

/** The large size: 10⁶ wallets with 10⁷ entries and 10⁵ tenants, or `scale` of that. */
export function largeSize(scale: number): Size {
  return { name: 'large', wallets: 1_000_000 * scale, tenants: 100_000 * scale };
}

/** Returns the number of the tenant where the consumer has their only wallet. */
export function tenantOf(consumer: number, { tenants }: Size): number {
  return consumer % AT_TENANT_0_EVERY === 0 ? 0 : consumer % tenants;
}

/** The same as SQL, of an expression for the consumer's number. */
export function tenantOfSql(consumer: string, { tenants }: Size): string {
  return `(case when ${consumer} % ${AT_TENANT_0_EVERY} = 0 then 0
    else ${consumer} % ${tenants} end)`;
}
