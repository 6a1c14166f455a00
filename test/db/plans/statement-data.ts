import { id, into, tenantOf } from './rows.ts';

/** Statements and what they are made of; half of the wallets are those of the first tenant. */
export const STATEMENTS = [
  into('ledger_statements', {
    id: id('statement'),
    tenant_id: tenantOf('n'),
    number: 'n',
    day: 'current_date',
    size: '1',
    text: `'many'`,
    signature: 'sha512(n::text::bytea)',
  }),
  into('unstored_statements', { statement_id: id('statement'), body: `'{}'` }),
  into('signed_heads', {
    wallet_id: id('wallet'),
    tenant_id: tenantOf('n'),
    number: 'n',
    seq: '1',
    head: `sha256('many')`,
  }),
  into('moved_wallets', { tenant_id: tenantOf('n'), wallet_id: id('wallet') }),
  into(
    'statement_progress',
    {
      day: 'current_date',
      next_id: id('entry', '-10'),
      until_id: id('entry', '1'),
      following_id: id('entry', '0'),
    },
    '1',
  ),
];
