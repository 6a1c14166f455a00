import { type ConnectionOverview, listConnections } from '../db/connections/overview.ts';
import { type ConnectionId, TenantId } from '../domain/ids.ts';
import { isPolled } from '../domain/payment.ts';
import { type Command, describeTable, parseId, requireNoArguments } from './command.ts';
import { listPaused } from './paused-polls.ts';

const PAGE = 500;

export const connections: Command = {
  usage: 'connections [--tenant ID]',
  options: ['tenant'],
  summary:
    "Lists the tenants' accounts at providers, with their errors, and whose polls are paused",
  async run({ args, options, db, temporal }) {
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
    const paused = data.some(hasPolls) ? await listPaused(temporal()) : null;
    const shown = data.map((item) => ({ ...item, polls: pollsOf(item, paused) }));
    const rows = shown.map((item) => [
      item.id,
      item.tenantId,
      item.tenantName,
      item.provider,
      item.merchantId,
      item.status,
      item.needsReconnectSince,
      item.askAgainAt,
      item.watermark,
      item.polls,
      item.lastPolledAt,
      item.lastEventAt,
      item.tokenExpiresAt,
      item.lastError,
    ]);
    const heading = ['CONNECTION', 'TENANT', 'NAME', 'PROVIDER', 'MERCHANT', 'STATUS'];
    const health = ['RECONNECT SINCE', 'AWAY UNTIL', 'WATERMARK', 'POLLS', 'LAST POLLED'];
    const columns = [...heading, ...health, 'LAST EVENT', 'TOKEN EXPIRES', 'LAST ERROR'];
    return { data: shown.map(asJson), text: describeTable(columns, rows) };
  },
};

function hasPolls({ provider, status }: ConnectionOverview): boolean {
  return isPolled(provider) && status === 'active';
}

/** Whether a connection's polls are paused, by the service or by hand; null if it has none. */
function pollsOf(item: ConnectionOverview, paused: ReadonlySet<string> | null): string | null {
  if (!hasPolls(item)) return null;
  if (paused === null) return 'unknown: no Temporal';
  return paused.has(item.id) ? 'PAUSED' : 'on';
}

/** The JSON calls the provider posType, as the API does. */
function asJson({ provider, ...facts }: ConnectionOverview & { polls: string | null }) {
  return { ...facts, posType: provider };
}
