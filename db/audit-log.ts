import { randomUUID } from 'node:crypto';
import type { TenantId, UserId } from '../domain/ids.ts';
import type { Db, Tx } from './connection.ts';
import { newId } from './new-id.ts';

export const AUDIT_ACTIONS = [
  'wallet.freeze',
  'wallet.unfreeze',
  'wallet.adjust',
  'user.approve',
  'user.role',
  'user.suspend',
  'user.reinstate',
  'user.grant_admin',
  'user.bootstrap',
  'key.rotate',
  'connection.connect',
  'connection.disconnect',
  'operator.invite',
  'operator.withdraw_invite',
  'operator.accept',
  'operator.remove',
  'operator.leave',
  'tenant.set_currency',
  'tenant.set_time_zone',
  'tenant.update',
  'logo.update',
  'logo.delete',
  'rule.publish',
  'programme.publish',
  'campaign.publish',
  'campaign.end',
  'reward.publish',
  'reward.end',
  'tenant.suspend',
  'tenant.reinstate',
  'tenant.close',
  'endpoint.create',
  'endpoint.update',
  'endpoint.delete',
  'endpoint.rotate',
  'endpoint.test',
  'endpoint.replay',
  'event.replay',
  'event.dismiss',
  'count.repair',
  'day.bring_in',
  'connection.lost',
  'sale.attach',
  'user.erase',
  'import.upload',
  'import.withdraw',
  'import.approve',
  'import.revert',
  'goodwill.ask',
  'goodwill.withdraw',
  'goodwill.decline',
  'code.mail',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AUDIT_TARGETS = [
  'wallet',
  'user',
  'key',
  'connection',
  'invite',
  'tenant',
  'rule',
  'programme',
  'campaign',
  'reward',
  'endpoint',
  'event',
  'transaction',
  'import',
] as const;
export type AuditTarget = (typeof AUDIT_TARGETS)[number];

export const AUDIT_ACTORS = ['user', 'ops'] as const;

/** The state that an action changes, before or after it: names and plain values, never contacts. */
export type AuditedState = Readonly<Record<string, string | number | null>>;

/** Who acted, and by which request. */
export type Acting = {
  /** `ops`: an operator of the service, by command or configuration, or the service itself. */
  actor: (typeof AUDIT_ACTORS)[number];
  /** Who ran the command, as the machine that it ran on knows them. */
  operator?: string | null;
  /** Null for `ops`. */
  actorUserId: UserId | null;
  /** The correlation id of the request, which its caller may have chosen. */
  requestId: string;
  /** The id that we gave the request; null where there was none. */
  generatedRequestId: string | null;
};

export type AuditEntryId = string;

export type NewAuditEntry = Acting & {
  /** Chosen by the caller when something else refers to the entry. */
  id?: AuditEntryId;
  action: AuditAction;
  targetType: AuditTarget;
  targetId: string | null;
  tenantId: TenantId | null;
  reason: string | null;
  before: AuditedState;
  after: AuditedState;
};

export type AuditEntry = Required<NewAuditEntry> & {
  seq: number;
  createdAt: Date;
  actorEmail: string | null;
};

/** An entry with the names of what it is about, for administrators. */
export type NamedAuditEntry = AuditEntry & {
  tenantName: string | null;
  tenantCurrency: string | null;
  /** The user who was acted on, or whose wallet was. */
  targetUserId: UserId | null;
  /** That user's e-mail, or phone without one; of an invite the invited address. */
  targetContact: string | null;
};

/** What a user does, where only the correlation id of the request is known. */
export function byUser(actorUserId: UserId, requestId: string): Acting {
  return { actor: 'user', actorUserId, requestId, generatedRequestId: null };
}

/**
 * What an operator of the service does on the command line, or the service by its configuration: an
 * id ties its entries together.
 */
export function byOps(operator: string | null = null): Acting {
  const requestId = randomUUID();
  return { actor: 'ops', actorUserId: null, operator, requestId, generatedRequestId: null };
}

/** Records actions, in the transaction of the changes themselves. */
export async function insert(tx: Tx, ...entries: readonly NewAuditEntry[]): Promise<void> {
  await tx('audit_log').insert(entries.map((entry) => ({ id: newId(), ...entry })));
}

/** What a list is narrowed down to: entries that agree with all that is given. */
export type AuditFilter = {
  action?: AuditAction | undefined;
  actorUserId?: UserId | undefined;
  targetId?: string | undefined;
  /** The user who was acted on, or whose wallet was. */
  targetUserId?: UserId | undefined;
  /** The correlation id of the request. */
  requestId?: string | undefined;
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
};

type Page = { limit: number; before?: number | undefined };

/** Lists entries, newest first, older than the sequence number `before`. */
export async function list(db: Db, filter: AuditFilter & Page): Promise<NamedAuditEntry[]> {
  return filtered(db, filter)
    .joinRaw(NAMES)
    .select<NamedAuditEntry[]>(
      'a.*',
      'u.email as actorEmail',
      't.name as tenantName',
      't.currency as tenantCurrency',
      's.id as targetUserId',
      db.raw('coalesce(s.email, s.phone, i.email) as target_contact'),
    );
}

/** What an entry is about, each found by its key. */
const NAMES = `
  left join tenants t on t.id = a.tenant_id
  left join wallets w on a.target_type = 'wallet' and w.id = a.target_id
  left join invites i on a.target_type = 'invite' and i.id = a.target_id
  left join users s on s.id = case a.target_type when 'user' then a.target_id else w.user_id end`;

/** Whether the actor of an entry works, or worked, for its tenant. */
const IS_OWN = `u.role <> 'admin' and coalesce(
  (select true from memberships m
   where m.tenant_id = a.tenant_id and m.user_id = u.id limit 1),
  (select true from operator_removals r
   where r.tenant_id = a.tenant_id and r.user_id = u.id limit 1), false)`;

/** Lists entries of a tenant for its merchant, to whom others than its own people have no names. */
export async function listOfTenant(
  db: Db,
  tenantId: TenantId,
  filter: Omit<AuditFilter, 'actorUserId'> & Page,
): Promise<AuditEntry[]> {
  return filtered(db, filter)
    .where('a.tenantId', tenantId)
    .select<AuditEntry[]>(
      'a.*',
      db.raw('null as operator'),
      db.raw(`case when ${IS_OWN} then u.email end as actor_email`),
    );
}

function filtered(db: Db, { limit, before, ...filter }: AuditFilter & Page) {
  const query = db('audit_log as a').leftJoin('users as u', 'u.id', 'a.actorUserId');
  if (before !== undefined) query.where('a.seq', '<', before);
  if (filter.action !== undefined) query.where('a.action', filter.action);
  if (filter.actorUserId !== undefined) query.where('a.actorUserId', filter.actorUserId);
  if (filter.targetId !== undefined) query.where('a.targetId', filter.targetId);
  if (filter.targetUserId !== undefined) {
    query.whereRaw(`a.target_id = any(${OF_USER})`, { userId: filter.targetUserId });
  }
  if (filter.requestId !== undefined) query.where('a.requestId', filter.requestId);
  if (filter.from !== undefined) {
    query.where('a.createdAt', '>=', filter.from).whereRaw(`a.seq > ${SEQ_BEFORE}`, filter.from);
  }
  if (filter.to !== undefined) {
    query.where('a.createdAt', '<', filter.to).whereRaw(`a.seq < ${SEQ_AFTER}`, filter.to);
  }
  return query.orderBy('a.seq', 'desc').limit(limit);
}

const OF_USER = `
  array(select :userId::uuid union all select id from wallets where user_id = :userId)`;

/** The number of the newest entry; 0 without any. */
export async function lastSeq(db: Db): Promise<number> {
  const newest = await db('audit_log')
    .orderBy('seq', 'desc')
    .first<{ seq: number } | undefined>('seq');
  return newest?.seq ?? 0;
}

/** Lists entries in the order of their numbers, after one number and up to another. */
export async function listInOrder(
  db: Db,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<AuditEntry[]> {
  return db('audit_log as a')
    .leftJoin('users as u', 'u.id', 'a.actorUserId')
    .where('a.seq', '>', after)
    .where('a.seq', '<=', upTo)
    .orderBy('a.seq')
    .limit(limit)
    .select<AuditEntry[]>('a.*', 'u.email as actorEmail');
}

/*
 * Entries are listed by their sequence numbers, which are given out in the order of time, but for
 * transactions that are open at the same moment. The times therefore also bound the numbers, with a
 * margin longer than any transaction, so that no entry outside of them is read and left out.
 */
const MARGIN = `interval '15 minutes'`;
const SEQ_BEFORE = `coalesce((
  select seq from audit_log where created_at < ?::timestamptz - ${MARGIN}
  order by created_at desc, seq desc limit 1), 0)`;
const SEQ_AFTER = `coalesce((
  select seq from audit_log where created_at >= ?::timestamptz + ${MARGIN}
  order by created_at, seq limit 1), ${Number.MAX_SAFE_INTEGER})`;
