import type { Db } from '../db/connection.ts';
import * as posConnections from '../db/pos-connections.ts';
import * as webhookEvents from '../db/webhook-events.ts';
import type { EventId, TenantId } from '../domain/ids.ts';
import type { Alpha } from '../gateways/alpha.ts';
import { type Contacts, readAlphaPayment } from '../gateways/alpha-payload.ts';
import { ProviderError } from '../gateways/provider-error.ts';
import type { Secrets } from '../gateways/secrets.ts';
import { failureText } from './credit-batch.ts';

export type FetchedCustomers = {
  /** What the provider knows of each event's customer; null when it has none. */
  contacts: Map<EventId, Contacts | null>;
  /** Events whose customer cannot be had, and will not be by asking again soon. */
  failures: webhookEvents.EventFailure[];
  /** Events whose customer may be had by asking again. */
  postponed: webhookEvents.EventFailure[];
  /** How long the provider wants to be left alone; 0 when it did not say. */
  retryAfterMs: number;
};

/** How many requests one connection may have open at a time, so that no tenant takes it all. */
const REQUESTS_PER_CONNECTION = 4;

/**
 * Asks alpha for the customers that these events name, each customer once and a few at a time for
 * each connection. Writes nothing, and never throws for what a provider does.
 */
export async function fetchCustomers(
  deps: { db: Db; alpha: Alpha; secrets: Secrets },
  ids: readonly EventId[],
): Promise<FetchedCustomers> {
  const fetched: FetchedCustomers = {
    contacts: new Map(),
    failures: [],
    postponed: [],
    retryAfterMs: 0,
  };
  const byTenant = groupByCustomer(await webhookEvents.read(deps.db, ids));
  const connections = await posConnections.listActive(deps.db, 'alpha', [...byTenant.keys()]);

  await Promise.all(
    [...byTenant].map(async ([tenantId, byCustomer]) => {
      const connection = connections.find((item) => item.tenantId === tenantId);
      const waiting = [...byCustomer];
      const work = async () => {
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
          const [customerId, eventIds] = next;
          await ask(eventIds, fetched, () => findCustomer(deps, connection, customerId));
        }
      };
      await Promise.all(Array.from({ length: REQUESTS_PER_CONNECTION }, work));
    }),
  );
  return fetched;
}

type EventsByCustomer = Map<string, EventId[]>;

function groupByCustomer(events: readonly webhookEvents.OpenEvent[]) {
  const byTenant = new Map<TenantId, EventsByCustomer>();
  for (const event of events) {
    const customerId = readAlphaPayment(event.body)?.providerCustomerId;
    if (customerId === undefined || customerId === null) continue;
    const byCustomer: EventsByCustomer = byTenant.get(event.tenantId) ?? new Map();
    byCustomer.set(customerId, [...(byCustomer.get(customerId) ?? []), event.id]);
    byTenant.set(event.tenantId, byCustomer);
  }
  return byTenant;
}

async function findCustomer(
  deps: { alpha: Alpha; secrets: Secrets },
  connection: posConnections.PosConnection | undefined,
  customerId: string,
): Promise<Contacts | null> {
  if (connection === undefined) {
    throw new Error('The tenant has no active connection to alpha: it has to connect again.');
  }
  const { tenantId, sealedAccessToken } = connection;
  const context = { tenantId, provider: 'alpha', field: 'access_token' };
  return deps.alpha.findCustomer(deps.secrets.open(sealedAccessToken, context), customerId);
}

async function ask(
  eventIds: readonly EventId[],
  fetched: FetchedCustomers,
  find: () => Promise<Contacts | null>,
): Promise<void> {
  try {
    const contacts = await find();
    for (const id of eventIds) fetched.contacts.set(id, contacts);
  } catch (error) {
    const isTransient = error instanceof ProviderError && error.isTransient;
    const failed = eventIds.map((id) => ({ id, error: failureText(error) }));
    (isTransient ? fetched.postponed : fetched.failures).push(...failed);
    if (error instanceof ProviderError) {
      fetched.retryAfterMs = Math.max(fetched.retryAfterMs, error.retryAfterMs ?? 0);
    }
  }
}
