import type { TenantId, UserId } from '../domain/ids.ts';
import type { Db, Tx } from './connection.ts';

export const AUDIT_ACTIONS = [
  'wallet.freeze',
  'wallet.unfreeze',
  'wallet.adjust',
  'user.approve',
  'user.role',
  'tenant.currency',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AUDIT_TARGETS = ['wallet', 'user', 'tenant'] as const;
export type AuditTarget = (typeof AUDIT_TARGETS)[number];

/** The state that an action changes, before or after it: names and plain values, never contacts. */
export type AuditedState = Readonly<Record<string, string | number | null>>;

export type NewAuditEntry = {
  /** Chosen by the caller when something else refers to the entry. */
  id?: string;
  /** Null for a command. */
  actorUserId: UserId | null;
  action: AuditAction;
  targetType: AuditTarget;
  targetId: string;
  tenantId: TenantId | null;
  reason: string | null;
  before: AuditedState;
  after: AuditedState;
  /** The correlation id of the request. */
  requestId: string;
};

export type AuditEntry = Required<NewAuditEntry> & { seq: number; createdAt: Date };

/** Records an administrator's action, in the transaction of the change itself. */
export async function insert(tx: Tx, entry: NewAuditEntry): Promise<void> {
  await tx('audit_log').insert(entry);
}

/** Lists entries, newest first, older than the sequence number `before`. */
export async function list(
  db: Db,
  page: { limit: number; before?: number | undefined },
): Promise<AuditEntry[]> {
  const query = db<AuditEntry>('audit_log');
  if (page.before !== undefined) query.where('seq', '<', page.before);
  return query.orderBy('seq', 'desc').limit(page.limit);
}
