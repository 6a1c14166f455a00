import type { TenantId, UserId } from '../../domain/ids.ts';
import type { Role, UserStatus } from '../../domain/roles.ts';
import type { Db } from '../connection.ts';
import { isActive } from '../tenants/is-active.ts';

/** What decides whether a user who was let in before still may be. */
export type Standing = {
  id: UserId;
  role: Role;
  status: UserStatus;
  email: string | null;
  emailVerified: boolean;
  /** The shops where an operator works, without those that are suspended. */
  shopIds: TenantId[];
};

/** Lists the standing of users, by their ids, in any order. */
export async function listStandings(db: Db, ids: readonly UserId[]): Promise<Standing[]> {
  const { rows } = await db.raw<{ rows: Standing[] }>(
    `select u.id, u.role, u.status, u.email, u.email_verified,
       array(select m.tenant_id::text from memberships m
             where m.user_id = u.id and m.role = 'pos_operator'
               and ${isActive('m.tenant_id')}) as shop_ids
     from users u where u.id = any(:ids::uuid[])`,
    { ids: [...ids] },
  );
  return rows;
}
