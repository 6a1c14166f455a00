import { describe, expect, it } from 'vitest';
import { tokenPolicyFrom } from '../../api/token-policy.ts';
import { loadConfig } from '../../config.ts';
import { logTo } from '../support/log.ts';
import { requiredEnv } from '../support/required-env.ts';

describe('tokenPolicyFrom', () => {
  const warnedOf = (env: Record<string, string>) => {
    const lines: string[] = [];
    const policy = tokenPolicyFrom(loadConfig({ ...requiredEnv(), ...env }), logTo(lines));
    const settings = lines.map((line) => JSON.parse(line)).map(({ setting }) => setting);
    return { policy, settings };
  };
  const all = {
    OIDC_ADMIN_CLIENTS: 'office',
    OIDC_MERCHANT_CLIENTS: 'portal, till',
    OIDC_SCOPES: 'true',
    ADMIN_MAX_AUTH_AGE: '3600',
    ADMIN_ACR: 'mfa',
  };

  it('asks for what is set, and warns of nothing then', () => {
    expect(warnedOf(all)).toEqual({
      settings: [],
      policy: {
        adminClients: ['office'],
        merchantClients: ['portal', 'till'],
        needsScopes: true,
        adminMaxAuthAge: 3_600,
        adminAcr: 'mfa',
      },
    });
  });

  it('warns once of each setting that is missing; who decides against scopes knows', () => {
    expect(warnedOf({}).settings).toEqual(Object.keys(all));
    expect(warnedOf({ ...all, OIDC_SCOPES: 'false' }).settings).toEqual([]);
  });
});
