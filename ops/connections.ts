import { type ConnectionOverview, listConnections } from '../db/connections/overview.ts';
import { type ConnectionId, TenantId } from '../domain/ids.ts';
import { type Command, describeTable, parseId, requireNoArguments } from './command.ts';

const PAGE = 500;

export const connections: Command = {
  usage: 'connections [--tenant ID]',
  options: ['tenant'],
  summary: "Lists the tenants' accounts at providers, with their errors",
  async run({ args, options, db }) {
    requireNoArguments(args);
    const { tenant } = options;
    const tenantId = tenant === undefined ? undefined : parseId(TenantId, tenant, '--tenant');
    const data: ConnectionOverview[] = [];
    let after: ConnectionId | null = null;
    do {
      const page: ConnectionOverview[] = await listConnections(db, {
        tenantId,
        after,
        limit: PAGE,
      });
      data.push(...page);
      after = page.at(-1)?.id ?? null;
    } while (after !== null);
    const rows = data.map((item) => [
      item.id,
      item.tenantId,
      item.tenantName,
      item.provider,
      item.merchantId,
      item.status,
      item.needsReconnectSince,
      item.askAgainAt,
      item.watermark,
      item.lastPolledAt,
      item.lastEventAt,
      item.tokenExpiresAt,
      item.lastError,
    ]);
    const heading = ['CONNECTION', 'TENANT', 'NAME', 'PROVIDER', 'MERCHANT', 'STATUS'];
    const health = ['RECONNECT SINCE', 'AWAY UNTIL', 'WATERMARK', 'LAST POLLED', 'LAST EVENT'];
    const columns = [...heading, ...health, 'TOKEN EXPIRES', 'LAST ERROR'];
    return { data: data.map(asJson), text: describeTable(columns, rows) };
  },
};

/** The JSON calls the provider posType, as the API does. */
function asJson({ provider, ...facts }: ConnectionOverview) {
  return { ...facts, posType: provider };
}
