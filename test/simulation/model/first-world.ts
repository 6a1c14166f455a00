import type { Policies } from '../steps.ts';
import type { World } from './state.ts';

/** The world before a history begins: a shop that is connected to both providers. */
export function firstWorld(policies: Policies, currency: string): World {
  return {
    policies,
    currency,
    sales: new Map(),
    accounts: new Map(),
    rules: [],
    frozen: new Set(),
    connected: new Set(['alpha', 'beta']),
    revoked: new Set(),
    taken: new Set(),
    everTaken: new Set(),
    invites: new Map(),
    operators: new Set(),
    everOperators: new Set(),
    joined: [],
    suspended: new Set(),
    erased: new Set(),
    isShopSuspended: false,
    windowDays: 0,
    validityMonths: undefined,
    tiers: [],
    campaigns: [],
    rewards: [],
    wasShopSuspended: false,
  };
}
