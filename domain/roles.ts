const CONSUMER = ['WALLET_VIEW_OWN', 'WALLET_HISTORY_OWN', 'WALLET_REDEEM'] as const;

/** The permissions of each role: the whole table, from which the types derive. */
export const permissions = {
  consumer: CONSUMER,
  client: [
    'TENANT_PROFILE_UPDATE',
    'TENANT_VIEW',
    'TENANT_POS_CONNECT',
    'TENANT_REWARD_CONFIG',
    'TENANT_TEAM_INVITE',
    'TENANT_ANALYTICS_VIEW',
    'TENANT_CONSUMER_VIEW',
  ],
  // An operator may own a wallet, so it keeps the consumer's permissions.
  pos_operator: ['REDEMPTION_VERIFY', ...CONSUMER],
  admin: [
    'ADMIN_TENANTS_VIEW_ALL',
    'ADMIN_WALLET_FREEZE',
    'ADMIN_WALLET_ADJUST',
    'ADMIN_AUDIT_LOGS_VIEW',
    'ADMIN_USER_SEARCH',
    'ADMIN_USER_MANAGE',
  ],
} as const;

export type Role = keyof typeof permissions;
export type Permission = (typeof permissions)[Role][number];

export const ROLES = ['consumer', 'client', 'pos_operator', 'admin'] as const satisfies Role[];
export const USER_STATUSES = ['active', 'pending_approval', 'suspended'] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

/** Whether the role holds the permission. */
export function holds(role: Role, permission: Permission): boolean {
  const held: readonly Permission[] = permissions[role];
  return held.includes(permission);
}
