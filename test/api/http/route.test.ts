import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { page, reply } from '../../../api/http/replies/reply.ts';
import { pathOf, route } from '../../../api/http/route.ts';
import type { Tenant } from '../../../db/tenants/tenants.ts';
import type { User } from '../../../db/users/users.ts';
import type { TenantId, WalletId } from '../../../domain/ids.ts';

const about = { method: 'POST', summary: 'Is never called' } as const;

describe('the types of a request', () => {
  it('follow from the path, the access and the schemas', () => {
    route({
      ...about,
      path: '/tenants/:tenantId/wallets/:walletId',
      access: 'TENANT_VIEW',
      query: z.object({ limit: z.coerce.number() }),
      body: z.object({ points: z.int() }),
      handle: ({ params, query, body, user, tenant, rawBody }) => {
        expectTypeOf(params).toEqualTypeOf<{ tenantId: TenantId; walletId: WalletId }>();
        expectTypeOf(query).toEqualTypeOf<{ limit: number }>();
        expectTypeOf(body).toEqualTypeOf<{ points: number }>();
        expectTypeOf(user).toEqualTypeOf<User>();
        expectTypeOf(tenant).toEqualTypeOf<Tenant>();
        expectTypeOf(rawBody).toEqualTypeOf<undefined>();
        return {};
      },
    });
  });

  it('are undefined for what a route does not ask for', () => {
    route({
      ...about,
      path: '/webhooks',
      access: 'signed-webhook',
      handle: ({ query, body, user, tenant, rawBody }) => {
        expectTypeOf(query).toEqualTypeOf<undefined>();
        expectTypeOf(body).toEqualTypeOf<undefined>();
        expectTypeOf(user).toEqualTypeOf<undefined>();
        expectTypeOf(tenant).toEqualTypeOf<undefined>();
        expectTypeOf(rawBody).toEqualTypeOf<Buffer>();
        return {};
      },
    });
  });

  it('reject a parameter that pathIds does not know', () => {
    // @ts-expect-error the parameter is called walletId
    route({ ...about, path: '/wallets/:walletID', access: 'public', handle: () => ({}) });
  });

  it('reject a permission that does not exist', () => {
    // @ts-expect-error no role holds such a permission
    route({ ...about, path: '/wallets', access: 'WALLET_STEAL', handle: () => ({}) });
  });

  it('reject a result that does not match the response schema', () => {
    const response = z.object({ state: z.enum(['open', 'closed']) });
    const declared = { ...about, path: '/x', access: 'public', response } as const;
    route({ ...declared, handle: () => ({ state: 'open' }) });
    route({ ...declared, handle: async () => reply({ body: { state: 'closed' }, status: 202 }) });
    // @ts-expect-error ajar is not a state
    route({ ...declared, handle: () => ({ state: 'ajar' }) });
    // @ts-expect-error ajar is not a state
    route({ ...declared, handle: async () => reply({ body: { state: 'ajar' } }) });
    // @ts-expect-error the response is not a list
    route({ ...declared, handle: () => page([{ state: 'open' }], undefined) });
  });
});

describe('pathOf', () => {
  it('is under /api/v1, or at the root if the route says so', () => {
    const declared = { ...about, access: 'public', handle: () => ({}) } as const;
    expect(pathOf(route({ ...declared, path: '/auth/me' }))).toBe('/api/v1/auth/me');
    expect(pathOf(route({ ...declared, path: '/health', root: true }))).toBe('/health');
  });
});
