/**
 * SQL: whether a tenant is active, so that what concerns it goes on; `tenantId` is SQL as well. A
 * subquery with a value is asked of each row, where `exists` might be hashed.
 */
export const isActive = (tenantId: string) =>
  `(select a.status = 'active' from tenants a where a.id = ${tenantId})`;
