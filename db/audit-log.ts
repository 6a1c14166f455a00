import type { TenantId, UserId } from '../domain/ids.ts';
import type { Db, Tx } from './connection.ts';

export const AUDIT_ACTIONS = [
  'wallet.freeze',
  'wallet.unfreeze',
  'wallet.adjust',
  'user.approve',
  'user.role',
  'operator.invite',
  'operator.accept',
  'operator.remove',
  'operator.leave',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AUDIT_TARGETS = ['wallet', 'user', 'invite'] as const;
export type AuditTarget = (typeof AUDIT_TARGETS)[number];

/** The state that an action changes, before or after it: names and plain values, never contacts. */
export type AuditedState = Readonly<Record<string, string | number | null>>;

/** Who acted, and by which request. */
export type Acting = Pick<NewAuditEntry, 'actorUserId' | 'requestId'>;

export type NewAuditEntry = {
  /** Chosen by the caller when something else refers to the entry. */
  id?: string;
  actorUserId: UserId;
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

/** Records an action, in the transaction of the change itself. */
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
