import type { UserId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language.ts';

/** Somebody who gets a mail, and in which language; null if that is not known. */
export type Addressee = { id: UserId; email: string; language: Language | null };

const MAX_OWNERS = 10;

/**
 * SQL: whether the user `u` of the membership `m` is an owner who can be mailed. A merchant who is
 * suspended, or has another role now, keeps the membership and may see nothing of the shop.
 */
export const IS_OWNER = `m.role = 'client' and u.role = 'client' and u.status = 'active'
         and u.email_verified and u.email is not null`;

/** SQL: the owners of a tenant who can be mailed; `tenantId` is SQL as well. */
export const ownersOf = (tenantId: string) => `array(
       select jsonb_build_object('id', u.id, 'email', u.email, 'language', u.language)
       from memberships m join users u on u.id = m.user_id
       where m.tenant_id = ${tenantId} and ${IS_OWNER}
       order by m.created_at limit ${MAX_OWNERS}
     )`;
