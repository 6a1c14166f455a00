import { NAMESPACE } from './environment.ts';
import { CLIENT_ID } from './identity/sign-in.ts';
import type { SaleOutcome } from './seed.ts';

export type Summary = {
  sale: SaleOutcome;
  api: string;
  temporalUi: string | undefined;
  temporalAddress: string;
  /** The path of the Temporal CLI; undefined when the sandbox did not start the server. */
  temporalCli: string | undefined;
  issuer: string;
  mail: string;
  alpha: string;
  beta: string;
  apps: string;
  developerPage: string;
  tenantId: string;
};

/** Renders what can be opened and tried, as text. */
export function renderSummary(summary: Summary): string {
  const { api, temporalUi = 'not started here', sale } = summary;
  const { apps } = summary;
  const people = [
    ['Consumer', `${apps}/wallet/`, 'as Ada Byron: her points, and codes for them'],
    ['Till', `${apps}/till/`, 'as George Boole: takes the codes'],
    ['Merchant portal', `${apps}/portal/`, 'as Mary Somerville: the shop'],
    ['Back office', `${apps}/office/`, 'as Grace Hopper: everything'],
  ];
  const rows = [
    ['Ring at alpha', `${summary.alpha}/`],
    ['Ring at beta', `${summary.beta}/`],
    ['Time machine', `${summary.developerPage}/time-machine`],
    ['Mail', `${summary.mail}/`],
    ['Temporal UI', `${temporalUi}/namespaces/${NAMESPACE}/workflows`],
    ['Build an app', `${summary.developerPage}/`],
    ['API', `${api}/api/v1`],
    ['API reference', `${api}/docs`],
    ['Webhooks', `${summary.developerPage}/webhooks`],
    ['Sign-in (OIDC)', `${summary.issuer}/`],
  ];
  const width = Math.max(...people.map(([, address = '']) => address.length));
  return `
${people.map(([name, at, who]) => `  ${name?.padEnd(16)} ${at?.padEnd(width)}  ${who}`).join('\n')}

Ada's balance is ${sale.pointsAfter} points: it was ${sale.pointsBefore} before these sales.

${rows.map(([name, address]) => `  ${name?.padEnd(16)} ${address}`).join('\n')}

  Her wallets      curl -s -H "Authorization: Bearer $(npm run -s token -- consumer)" \\
                     ${api}/api/v1/consumer/wallets
  A sale           npm run sale -- --for ada --amount 12.50
  Codes run out    npm run expire-codes
  Workflow runs    ${summary.temporalCli ?? 'temporal'} workflow list \\
                     --address ${summary.temporalAddress} --namespace ${NAMESPACE} \\
                     --query 'TenantIds="${summary.tenantId}"'

Your app: client id ${CLIENT_ID}, no secret, PKCE; any redirect address of http://localhost or
http://127.0.0.1, whose pages may call the API. Others are added where people sign in.
Tokens: npm run token -- consumer | merchant | operator | admin. Ctrl-C stops everything.
`;
}
