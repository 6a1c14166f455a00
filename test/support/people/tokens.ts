import { randomUUID } from 'node:crypto';
import type { Db } from '../../../db/connection.ts';
import type { TenantId } from '../../../domain/ids.ts';
import type { Role, UserStatus } from '../../../domain/roles.ts';
import { required } from '../factories.ts';
import { ADMIN_DOMAIN } from '../http/serve-routes.ts';
import type { Issuer } from './issuer.ts';

export type TestPerson = {
  role: Role;
  status?: UserStatus;
  email?: string;
  name?: string;
  /** By default it is. */
  emailVerified?: boolean;
  /** The tenant that the user is a member of. */
  member?: TenantId;
};

/** Creates a user, active by default, and returns an access token for it. */
export async function tokenFor(db: Db, issuer: Issuer, person: TestPerson): Promise<string> {
  const { role, status = 'active', email = `${randomUUID()}@${ADMIN_DOMAIN}`, member } = person;
  const { name, emailVerified = true } = person;
  const sub = randomUUID();
  const [user] = await db('users')
    .insert({ iss: issuer.url, sub, role, status, email, emailVerified })
    .returning<{ id: string }[]>('id');
  if (member) {
    await db('memberships').insert({ tenantId: member, userId: required(user).id, role });
  }
  return issuer.token({ sub, email, email_verified: emailVerified, ...(name && { name }) });
}
