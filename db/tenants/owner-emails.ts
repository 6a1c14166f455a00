const MAX_OWNERS = 10;

/** SQL: the verified addresses of the owners of a tenant; `tenantId` is SQL as well. */
export const ownerEmails = (tenantId: string) => `array(
       select u.email from memberships m join users u on u.id = m.user_id
       where m.tenant_id = ${tenantId} and m.role = 'client' and u.email_verified
         and u.email is not null
       order by m.created_at limit ${MAX_OWNERS}
     )`;
