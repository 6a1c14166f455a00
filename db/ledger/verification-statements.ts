import type { LedgerViolation } from '../../domain/ledger-report.ts';

/** What a step has found wrong; `rowIds` are the wallets or sources that it is about. */
export type Findings = { violations: LedgerViolation[]; rowIds: string[] };

/** More would not help: one violation is reason enough to stop and look. */
export const MAX_VIOLATIONS = 100;

/** The violation `v` as it is reported. */
export const VIOLATION = `jsonb_build_object('walletId', v.wallet_id, 'tenantId', v.tenant_id,
  'seq', v.seq, 'problem', v.problem)`;
