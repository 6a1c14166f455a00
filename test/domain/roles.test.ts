import { describe, expect, it } from 'vitest';
import { holds, permissions, ROLES } from '../../domain/roles.ts';

const TABLE = {
  WALLET_VIEW_OWN: ['consumer', 'pos_operator'],
  WALLET_HISTORY_OWN: ['consumer', 'pos_operator'],
  WALLET_REDEEM: ['consumer', 'pos_operator'],
  TENANT_PROFILE_UPDATE: ['client'],
  TENANT_VIEW: ['client'],
  TENANT_POS_CONNECT: ['client'],
  TENANT_REWARD_CONFIG: ['client'],
  TENANT_TEAM_INVITE: ['client'],
  TENANT_ANALYTICS_VIEW: ['client'],
  TENANT_CONSUMER_VIEW: ['client'],
  REDEMPTION_VERIFY: ['pos_operator'],
  ADMIN_TENANTS_VIEW_ALL: ['admin'],
  ADMIN_WALLET_FREEZE: ['admin'],
  ADMIN_WALLET_ADJUST: ['admin'],
  ADMIN_AUDIT_LOGS_VIEW: ['admin'],
  ADMIN_USER_SEARCH: ['admin'],
  ADMIN_USER_MANAGE: ['admin'],
} as const;

describe('permissions', () => {
  it('include every permission of the table, and no others', () => {
    const given = new Set(Object.values(permissions).flat());
    expect([...given].sort()).toEqual(Object.keys(TABLE).sort());
  });

  it('are listed for every role, each once', () => {
    expect(Object.keys(permissions).sort()).toEqual([...ROLES].sort());
    for (const held of Object.values(permissions)) expect(new Set(held).size).toBe(held.length);
  });
});

describe('holds', () => {
  const cells = ROLES.flatMap((role) =>
    Object.values(permissions)
      .flat()
      .map((permission) => ({ role, permission })),
  );

  it.each(cells)('agrees with the table for $role and $permission', ({ role, permission }) => {
    const holders: readonly string[] = TABLE[permission];
    expect(holds(role, permission)).toBe(holders.includes(role));
  });
});
