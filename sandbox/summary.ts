import { PROVIDERS } from '../domain/payment.ts';
import type { Place } from './developer/place.ts';
import { NAMESPACE } from './environment.ts';
import { CLIENT_ID } from './identity/sign-in.ts';
import type { Ports } from './processes/kept-ports.ts';

export type Summary = Pick<
  Place,
  'api' | 'temporal' | 'issuer' | 'mail' | 'simulators' | 'tenant'
> & {
  /** A sentence about Ada's balance. */
  balance: string;
  ports: Pick<Ports, 'apiMetrics' | 'workerMetrics'>;
  apps: string;
  developerPage: string;
};

/** Renders what can be opened and tried, as text. */
export function renderSummary(summary: Summary): string {
  const { api, apps, ports, temporal } = summary;
  const { uiUrl = 'not started here' } = temporal;
  const people = [
    ['Consumer', `${apps}/wallet/`, 'as Ada Byron: her points, and codes for them'],
    ['Till', `${apps}/till/`, 'as George Boole: takes the codes'],
    ['Merchant portal', `${apps}/portal/`, 'as Mary Somerville: the shop'],
    ['Back office', `${apps}/office/`, 'as Grace Hopper: everything'],
  ];
  const rows = [
    ...PROVIDERS.map((name) => [`Ring at ${name}`, `${summary.simulators[name].url}/`]),
    ['Time machine', `${summary.developerPage}/time-machine`],
    ['Mail', `${summary.mail}/`],
    ['Temporal UI', `${uiUrl}/namespaces/${NAMESPACE}/workflows`],
    ['Build an app', `${api}/docs/build-an-app`],
    ['Developer tools', `${summary.developerPage}/`],
    ['Components', `${apps}/components/`],
    ['API', `${api}/api/v1`],
    ['API reference', `${api}/docs`],
    ['Webhooks', `${summary.developerPage}/webhooks`],
    ['Metrics', `${metricsAt(ports.apiMetrics)} and ${metricsAt(ports.workerMetrics)}`],
    ['Sign-in (OIDC)', `${summary.issuer}/`],
  ];
  const width = Math.max(...people.map(([, address = '']) => address.length));
  return `
${people.map(([name, at, who]) => `  ${name?.padEnd(16)} ${at?.padEnd(width)}  ${who}`).join('\n')}

${summary.balance}

${rows.map(([name, address]) => `  ${name?.padEnd(16)} ${address}`).join('\n')}

  Her wallets      curl -s -H "Authorization: Bearer $(npm run -s token -- consumer)" \\
                     ${api}/api/v1/consumer/wallets
  A sale           npm run sale -- --for ada --amount 12.50
  Codes run out    npm run expire-codes
  Workflow runs    npm run -s sandbox-env -- temporal workflow list \\
                     --query 'TenantIds="${summary.tenant.tenantId}"'

Your app: client id ${CLIENT_ID}, no secret, PKCE; any redirect address of http://localhost or
http://127.0.0.1, whose pages may call the API. Others are added where people sign in.
Tokens: npm run token -- consumer | merchant | operator | admin. Ctrl-C stops everything.
`;
}

function metricsAt(port: number): string {
  return `http://127.0.0.1:${port}/metrics`;
}
