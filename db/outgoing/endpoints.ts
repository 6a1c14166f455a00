import { Refusal } from '../../domain/errors.ts';
import type { EndpointId, TenantEventId, TenantId } from '../../domain/ids.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { type EventType, TEST_EVENT } from '../../domain/webhook-event.ts';
import * as auditLog from '../audit-log.ts';
import type { Db, Tx } from '../connection.ts';
import { newId } from '../new-id.ts';
import { one } from '../one.ts';
import { untilReadersEnd } from '../open-transactions.ts';
import { lookFrom } from './positions.ts';

export const ENDPOINT_STATUSES = ['active', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];
/** Why the service disabled it: it answered 410, or got nothing for days. */
export const DISABLED_REASONS = ['gone', 'failing'] as const;

/** An address to which a tenant's events are sent. */
export type Endpoint = {
  id: EndpointId;
  tenantId: TenantId;
  url: string;
  /** Null is all of them. */
  types: EventType[] | null;
  status: EndpointStatus;
  disabledReason: (typeof DISABLED_REASONS)[number] | null;
  createdAt: Date;
  updatedAt: Date;
};

const COLUMNS = [
  'id',
  'tenantId',
  'url',
  'types',
  'status',
  'disabledReason',
  'createdAt',
  'updatedAt',
];

/** How many endpoints a tenant may have. */
export const MAX_ENDPOINTS = 10;

/** A sale takes far less, unless something holds it up. */
const PATIENCE_MS = 5_000;

/**
 * Has events written for the tenant from now on, before its first endpoint is created: waits, for
 * some seconds at most, until what had read that it is told of nothing has ended. What comes after
 * that is told, so that the endpoint misses nothing that it could not see. Not in a transaction,
 * which nobody sees before it is committed.
 */
export async function tellFromNowOn(db: Db, tenantId: TenantId): Promise<void> {
  const silent = db('tenants').where({ id: tenantId, tellsEvents: false });
  if ((await silent.update({ tellsEvents: true })) === 0) return;
  await untilReadersEnd(db, 'tenants', PATIENCE_MS);
}

/**
 * Creates an endpoint, which gets the events from now on, and from then on the tenant is told of
 * events. Throws RULE_REJECTED when the tenant has ten; concurrent calls are counted one by one,
 * because they lock the tenant's row.
 */
export async function create(
  tx: Tx,
  endpoint: Pick<Endpoint, 'id' | 'tenantId' | 'url' | 'types'>,
  sealedSecret: Sealed,
): Promise<Endpoint> {
  const { tenantId } = endpoint;
  await tx('tenants').where('id', tenantId).forNoKeyUpdate().select('id');
  const counted = await tx('webhook_endpoints')
    .where({ tenantId })
    .whereNull('deletedAt')
    .count<{ count: number }[]>('* as count');
  if (one(counted, 'count').count >= MAX_ENDPOINTS) {
    throw new Refusal(
      'RULE_REJECTED',
      `The shop has ${MAX_ENDPOINTS} endpoints. Delete one of them first.`,
      'too_many_endpoints',
    );
  }
  await tx('tenants').where({ id: tenantId, tellsEvents: false }).update({ tellsEvents: true });
  const rows = await tx('webhook_endpoints').insert(endpoint).returning<Endpoint[]>(COLUMNS);
  await tx('webhook_endpoint_secrets').insert({
    id: newId(),
    endpointId: endpoint.id,
    sealedSecret,
  });
  await lookFrom(tx, endpoint.id);
  return one(rows, 'endpoint');
}

/** Lists a tenant's endpoints, oldest first. They are few. */
export async function list(db: Db, tenantId: TenantId): Promise<Endpoint[]> {
  return db('webhook_endpoints')
    .where({ tenantId })
    .whereNull('deletedAt')
    .orderBy(['createdAt', 'id'])
    .limit(MAX_ENDPOINTS)
    .select<Endpoint[]>(COLUMNS);
}

/** Returns a tenant's endpoint. Throws NOT_FOUND, also for a deleted one. */
export async function get(db: Db, tenantId: TenantId, id: EndpointId): Promise<Endpoint> {
  return required(await query(db, tenantId, id).first<Endpoint | undefined>(COLUMNS));
}

/** Returns a tenant's endpoint, locked until the transaction ends. Throws NOT_FOUND. */
export async function lock(tx: Tx, tenantId: TenantId, id: EndpointId): Promise<Endpoint> {
  const locked = query(tx, tenantId, id).forNoKeyUpdate();
  return required(await locked.first<Endpoint | undefined>(COLUMNS));
}

function query(db: Db, tenantId: TenantId, id: EndpointId) {
  return db('webhook_endpoints').where({ tenantId, id }).whereNull('deletedAt');
}

function required<Found extends Endpoint>(endpoint: Found | undefined): Found {
  if (endpoint === undefined) throw new Refusal('NOT_FOUND', 'There is no such endpoint.');
  return endpoint;
}

/** What a tenant changes of an endpoint. */
export type EndpointChange = {
  [Name in 'url' | 'types' | 'status']?: Endpoint[Name] | undefined;
};

/**
 * Changes a locked endpoint. One that becomes active again begins anew: what waits for it is due,
 * and what has happened meanwhile follows. What the address of before still answers to an attempt
 * is not held against the new one.
 */
export async function update(
  tx: Tx,
  { id, tenantId, url, status }: Endpoint,
  change: EndpointChange,
): Promise<Endpoint> {
  const isRevived = change.status === 'active' && status === 'disabled';
  const rows = await tx('webhook_endpoints')
    .where({ id, tenantId })
    .update({
      ...definedOf(change),
      ...(change.url !== undefined && change.url !== url && { claim: null, claimedUntil: null }),
      ...(change.status === 'active' && { disabledReason: null }),
      ...(isRevived && {
        failures: 0,
        failedSince: null,
        activeSince: tx.fn.now(),
      }),
      updatedAt: tx.fn.now(),
    })
    .returning<Endpoint[]>(COLUMNS);
  if (isRevived) await revive(tx, id);
  if (change.status === 'disabled') await park(tx, id);
  return one(rows, 'endpoint');
}

/** The new values; knex would refuse one that is undefined. */
function definedOf(change: EndpointChange): EndpointChange {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

/** Lets all that waits for an endpoint wait until it is active. The endpoint has to be locked. */
export async function park(tx: Tx, endpointId: EndpointId): Promise<void> {
  await tx('webhook_deliveries')
    .where({ endpointId, status: 'pending' })
    .whereNotNull('nextAttemptAt')
    .update({ nextAttemptAt: null });
}

async function revive(tx: Tx, endpointId: EndpointId): Promise<void> {
  await tx('webhook_deliveries')
    .where({ endpointId, status: 'pending' })
    .whereNull('nextAttemptAt')
    .update({ nextAttemptAt: tx.raw('statement_timestamp()'), plannedAt: null });
  await lookFrom(tx, endpointId);
}

/**
 * Deletes an endpoint with its secrets; nothing more is sent to it. Returns it as it was, and
 * undefined when it was deleted before. Throws NOT_FOUND for one that the tenant never had.
 */
export async function remove(
  tx: Tx,
  tenantId: TenantId,
  id: EndpointId,
): Promise<Endpoint | undefined> {
  const found = await tx('webhook_endpoints')
    .where({ tenantId, id })
    .forNoKeyUpdate()
    .first<(Endpoint & { deletedAt: Date | null }) | undefined>(...COLUMNS, 'deletedAt');
  const { deletedAt, ...endpoint } = required(found);
  if (deletedAt !== null) return undefined;
  await tx('webhook_endpoints').where({ tenantId, id }).update({ deletedAt: tx.fn.now() });
  await tx('webhook_endpoint_secrets').where({ endpointId: id }).delete();
  await tx('webhook_deliveries').where({ endpointId: id, type: TEST_EVENT }).delete();
  await park(tx, id);
  return endpoint;
}

/** What was done with an endpoint, by whom; the state is what it changed. */
type Act = {
  acting: auditLog.Acting;
  done: 'create' | 'update' | 'delete' | 'rotate' | 'test' | 'replay';
  before?: Endpoint;
  after?: Endpoint;
  /** The event that was sent to it. */
  eventId?: TenantEventId;
};

/** Records who changed an endpoint, or had something sent to it. */
export async function audit(
  tx: Tx,
  { id, tenantId }: Pick<Endpoint, 'id' | 'tenantId'>,
  { acting, done, before, after, eventId }: Act,
): Promise<void> {
  await auditLog.insert(tx, {
    ...acting,
    action: `endpoint.${done}`,
    targetType: 'endpoint',
    targetId: id,
    tenantId,
    reason: null,
    before: before ? auditedStateOf(before) : {},
    after: { ...(after && auditedStateOf(after)), ...(eventId && { eventId }) },
  });
}

/** The path and query of an address may hold a token of the receiver's. */
function auditedStateOf({ url, types, status }: Endpoint) {
  return { origin: new URL(url).origin, types: types?.join(' ') ?? null, status };
}
