import type { Db } from '../../db/connection.ts';
import { listStandings } from '../../db/users/standings.ts';
import { denialCode } from '../../domain/account-status.ts';
import type { TenantId, UserId } from '../../domain/ids.ts';
import { holds, type Permission } from '../../domain/roles.ts';

/** What a stream was admitted by. */
export type Admission = {
  user: { id: UserId };
  /** The user loses the stream with this permission. */
  permission: Permission;
  /** The shop that the stream is about; without one it is about the user. */
  shopId?: TenantId;
};

/** How many users one statement checks. */
const CHECKED_TOGETHER = 1_000;

/**
 * Reads the users again, and returns whether a stream that was admitted would be admitted still. It
 * says so of streams of other users as well: those were admitted after the users were listed.
 */
export async function checkAccess(
  db: Db,
  userIds: readonly UserId[],
  adminEmailDomain: string,
): Promise<(admission: Admission) => boolean> {
  const checked = new Set(userIds);
  const standings = [];
  for (let start = 0; start < userIds.length; start += CHECKED_TOGETHER) {
    standings.push(...(await listStandings(db, userIds.slice(start, start + CHECKED_TOGETHER))));
  }
  const byUser = new Map(standings.map((standing) => [standing.id, standing]));
  return ({ user, permission, shopId }) => {
    if (!checked.has(user.id)) return true;
    const standing = byUser.get(user.id);
    if (standing === undefined) return false;
    if (denialCode(standing, adminEmailDomain) !== undefined) return false;
    if (!holds(standing.role, permission)) return false;
    return shopId === undefined || standing.shopIds.includes(shopId);
  };
}
