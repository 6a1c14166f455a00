import { Refusal } from './errors.ts';

export const TENANT_STATUSES = ['active', 'suspended'] as const;
export type TenantStatus = (typeof TENANT_STATUSES)[number];

/** Throws FORBIDDEN while a shop is suspended. */
export function requireActiveShop({ status }: { status: TenantStatus }): void {
  if (status === 'active') return;
  throw new Refusal(
    'FORBIDDEN',
    'This shop is suspended. Points stay as they are; ask support when it goes on.',
    'tenant_suspended',
  );
}
