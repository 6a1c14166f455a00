import { type ErrorCode, Refusal } from '../domain/errors.ts';

/** The constraints whose violation a client should understand. Any other violation is a bug. */
const REFUSALS: Record<string, { code: ErrorCode; message: string }> = {
  wallets_balance_not_negative: {
    code: 'INSUFFICIENT_BALANCE',
    message: 'The wallet does not hold that many points.',
  },
  reward_rules_one_row_per_version: {
    code: 'IDEMPOTENCY_REPLAY',
    message: 'Another rule of this tenant is being published. Try again.',
  },
};

/** The name of the constraint that an error of Postgres reports, if it reports one. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('constraint' in error)) return undefined;
  return typeof error.constraint === 'string' ? error.constraint : undefined;
}

/** The refusal that a violated constraint stands for, or undefined when it is no such error. */
export function refusalOf(error: unknown): Refusal | undefined {
  const constraint = violatedConstraint(error);
  const refusal = constraint === undefined ? undefined : REFUSALS[constraint];
  return refusal && new Refusal(refusal.code, refusal.message);
}
