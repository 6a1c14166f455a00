import type { TenantId, UserId } from '../../domain/ids.ts';
import {
  EFFECTIVE_TOLERANCE_SECONDS,
  type RewardRule,
  type RewardRuleInput,
  type RuleStatus,
} from '../../domain/reward-rule.ts';
import type { Db, Tx } from '../connection.ts';
import { newId } from '../new-id.ts';
import { one } from '../one.ts';

/**
 * The query for a tenant's rule in effect: the highest version whose time has come. `columns` and
 * `tenant` are SQL; the rule is `r`.
 */
export function ruleInEffect(columns: string, tenant: string): string {
  return `
    select ${columns} from reward_rules r
    where r.tenant_id = ${tenant}
      and r.effective_from <= now() + make_interval(secs => ${EFFECTIVE_TOLERANCE_SECONDS})
    order by r.version desc limit 1`;
}

/** A rule with its place among the tenant's rules, now, and who published it. */
export type PlacedRule = RewardRule & {
  active: boolean;
  status: RuleStatus;
  createdBy: UserId | null;
  createdByEmail: string | null;
};

/** Whether another version `h` governs at a moment (SQL) instead of rule `r`. */
const governedAt = (moment: string) => `exists (
    select from reward_rules h
    where h.tenant_id = r.tenant_id and h.version > r.version and h.effective_from <= ${moment})`;
const NOW = `now() + make_interval(secs => ${EFFECTIVE_TOLERANCE_SECONDS})`;

const PLACED = `r.*,
  (select u.email from users u where u.id = r.created_by) as created_by_email,
  not exists (select from reward_rules h
    where h.tenant_id = r.tenant_id and h.version > r.version) as active,
  case when ${governedAt(`greatest(r.effective_from, ${NOW})`)} then 'superseded'
    when r.effective_from <= ${NOW} then 'in_effect'
    else 'scheduled' end as status`;

/** Lists a tenant's rules below version `before`, highest first; the highest is the active one. */
export async function list(
  db: Db,
  tenantId: TenantId,
  page: { limit: number; before?: number | undefined },
): Promise<PlacedRule[]> {
  const { rows } = await db.raw<{ rows: PlacedRule[] }>(
    `select ${PLACED} from reward_rules r
     where r.tenant_id = :tenantId and (:before::integer is null or r.version < :before::integer)
     order by r.version desc limit :limit`,
    { tenantId, limit: page.limit, before: page.before ?? null },
  );
  return rows;
}

export type NewRule = Omit<RewardRuleInput, 'effectiveFrom'> & {
  tenantId: TenantId;
  createdBy: UserId;
  /** Null means from now on. */
  effectiveFrom: Date | null;
};

/**
 * Publishes a rule as the tenant's next version, which makes it the active one. Concurrent calls
 * get different versions, because they lock the tenant's row.
 */
export async function publish(tx: Tx, rule: NewRule): Promise<PlacedRule> {
  await tx('tenants').where('id', rule.tenantId).forNoKeyUpdate().select('id');
  await tx('reward_rules').insert({
    ...rule,
    id: newId(),
    version: tx.raw(
      '(select coalesce(max(version), 0) + 1 from reward_rules where tenant_id = ?)',
      [rule.tenantId],
    ),
    effectiveFrom: rule.effectiveFrom?.toISOString() ?? tx.fn.now(),
  });
  return one(await list(tx, rule.tenantId, { limit: 1 }), 'rule');
}
