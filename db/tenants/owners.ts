import type { UserId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language.ts';

/** Somebody who gets a mail, and in which language; null if that is not known. */
export type Addressee = { id: UserId; email: string; language: Language | null };

const MAX_OWNERS = 10;

/**
 * SQL: the owners of a tenant who have a verified address; `tenantId` is SQL as well. Who is
 * suspended or has another role now may see nothing of the shop, although the membership is kept.
 */
export const ownersOf = (tenantId: string) => `array(
       select jsonb_build_object('id', u.id, 'email', u.email, 'language', u.language)
       from memberships m join users u on u.id = m.user_id
       where m.tenant_id = ${tenantId} and m.role = 'client' and u.role = 'client'
         and u.status = 'active' and u.email_verified and u.email is not null
       order by m.created_at limit ${MAX_OWNERS}
     )`;
