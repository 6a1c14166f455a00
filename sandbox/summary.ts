import { NAMESPACE } from './environment.ts';
import type { SaleOutcome } from './seed.ts';

export type Summary = {
  sale: SaleOutcome;
  api: string;
  temporalUi: string | undefined;
  temporalAddress: string;
  /** The command line that asks Temporal; undefined when somebody else runs it. */
  temporalCli: string | undefined;
  issuer: string;
  mail: string;
  alpha: string;
  beta: string;
  merchantPage: string;
  tenantId: string;
};

/** What a newcomer can open and try, as text. */
export function renderSummary(summary: Summary): string {
  const rows = [
    ['API', `${summary.api}/api/v1`],
    ['API reference', `${summary.api}/docs`],
    [
      'Temporal UI',
      `${summary.temporalUi ?? 'not started here'}/namespaces/${NAMESPACE}/workflows`,
    ],
    ['Merchant page', `${summary.merchantPage}/`],
    ['Ring at alpha', `${summary.alpha}/`],
    ['Ring at beta', `${summary.beta}/`],
    ['Mail', `${summary.mail}/`],
    ['Sign-in (OIDC)', `${summary.issuer}/`],
  ];
  return `
Ada's balance is ${summary.sale.pointsAfter} points: it was ${summary.sale.pointsBefore} before this sale.

${rows.map(([name, address]) => `  ${name?.padEnd(16)} ${address}`).join('\n')}

  Her wallets      curl -s -H "Authorization: Bearer $(npm run -s token -- consumer)" \\
                     ${summary.api}/api/v1/consumer/wallets
  The shop's runs  ${summary.temporalCli ?? 'temporal'} workflow list \\
                     --address ${summary.temporalAddress} --namespace ${NAMESPACE} \\
                     --query 'TenantIds="${summary.tenantId}"'

Tokens: npm run token -- consumer | merchant | operator | admin. Ctrl-C stops everything.
`;
}
