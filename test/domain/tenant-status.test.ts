import { expect, it } from 'vitest';
import { requireActiveShop } from '../../domain/tenant-status.ts';

it('refuses what a suspended shop does not do, and nothing of an active one', () => {
  expect(() => requireActiveShop({ status: 'active' })).not.toThrow();
  expect(() => requireActiveShop({ status: 'suspended' })).toThrow(
    expect.objectContaining({
      code: 'FORBIDDEN',
      issues: [expect.objectContaining({ code: 'tenant_suspended' })],
    }),
  );
});
