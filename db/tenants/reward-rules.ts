import type { TenantId, UserId } from '../../domain/ids.ts';
import type { RewardRule, RewardRuleInput } from '../../domain/reward-rule.ts';
import type { Db, Tx } from '../connection.ts';

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
  const [row] = await tx('reward_rules')
    .insert({
      ...rule,
      version: tx.raw(
        '(select coalesce(max(version), 0) + 1 from reward_rules where tenant_id = ?)',
        [rule.tenantId],
      ),
      effectiveFrom: rule.effectiveFrom?.toISOString() ?? tx.fn.now(),
    })
    .returning<RewardRule[]>('*');
  if (row === undefined) throw new Error('The inserted rule was not returned.');
  return row;
}
