import type { TenantId, UserId } from '../../domain/ids.ts';
import {
  EFFECTIVE_TOLERANCE_SECONDS,
  type RewardRule,
  type RewardRuleInput,
} from '../../domain/reward-rule.ts';
import type { Db, Tx } from '../connection.ts';
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

/** Lists a tenant's rules below version `before`, highest first; the highest is the active one. */
export async function list(
  db: Db,
  tenantId: TenantId,
  page: { limit: number; before?: number | undefined },
): Promise<RewardRule[]> {
  const query = db<RewardRule>('reward_rules').where({ tenantId });
  if (page.before !== undefined) query.andWhere('version', '<', page.before);
  return query.orderBy('version', 'desc').limit(page.limit);
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
export async function publish(tx: Tx, rule: NewRule): Promise<RewardRule> {
  await tx('tenants').where('id', rule.tenantId).forNoKeyUpdate().select('id');
  const rows = await tx('reward_rules')
    .insert({
      ...rule,
      version: tx.raw(
        '(select coalesce(max(version), 0) + 1 from reward_rules where tenant_id = ?)',
        [rule.tenantId],
      ),
      effectiveFrom: rule.effectiveFrom?.toISOString() ?? tx.fn.now(),
    })
    .returning<RewardRule[]>('*');
  return one(rows, 'rule');
}
