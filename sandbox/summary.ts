import { NAMESPACE } from './environment.ts';
import type { Outcome } from './seed.ts';

export type OpenShop = {
  sale: Outcome;
  api: string;
  temporalUi: string | undefined;
  temporalAddress: string;
  /** The command line that asks Temporal; undefined when somebody else runs it. */
  temporalCli: string | undefined;
  issuer: string;
  mail: string;
  alpha: string;
  beta: string;
  desk: string;
  tenantId: string;
};

/** What a newcomer can open and try, as text. */
export function describeShop(shop: OpenShop): string {
  const rows = [
    ['API', `${shop.api}/api/v1`],
    ['API reference', `${shop.api}/docs`],
    ['Temporal UI', `${shop.temporalUi ?? 'not started here'}/namespaces/${NAMESPACE}/workflows`],
    ['Merchant desk', `${shop.desk}/`],
    ['Ring at alpha', `${shop.alpha}/`],
    ['Ring at beta', `${shop.beta}/`],
    ['Mail', `${shop.mail}/`],
    ['Sign-in (OIDC)', `${shop.issuer}/`],
  ];
  return `
Ada's balance is ${shop.sale.pointsAfter} points: it was ${shop.sale.pointsBefore} before this sale.

${rows.map(([name, address]) => `  ${name?.padEnd(16)} ${address}`).join('\n')}

  Her wallets      curl -s -H "Authorization: Bearer $(npm run -s token -- consumer)" \\
                     ${shop.api}/api/v1/consumer/wallets
  The shop's runs  ${shop.temporalCli ?? 'temporal'} workflow list \\
                     --address ${shop.temporalAddress} --namespace ${NAMESPACE} \\
                     --query 'TenantIds="${shop.tenantId}"'

Tokens: npm run token -- consumer | merchant | operator | admin. Ctrl-C stops everything.
`;
}
