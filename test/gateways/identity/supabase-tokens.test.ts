import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createTokenVerifier,
  type IdentitySettings,
} from '../../../gateways/identity/token-verifier.ts';
import { createEmptyDatabase } from '../../support/database/test-database.ts';
import { logTo } from '../../support/log.ts';
import { type Issuer, startIssuer } from '../../support/people/issuer.ts';

// Supabase cannot run here. These are the claims that its server writes for one person, before and
// after docs/identity.md is followed.

const AS_WRITTEN = {
  aud: 'authenticated',
  email: 'sue@shop.example',
  phone: '12125550109',
  app_metadata: { provider: 'email', providers: ['email'], role: 'client' },
  user_metadata: { email: 'sue@shop.example', email_verified: true, phone_verified: true },
  role: 'authenticated',
  aal: 'aal1',
  amr: [{ method: 'password', timestamp: 1_790_000_000 }],
  session_id: '7d3c1f0e-52a4-4be1-9a6c-0f4b1d2e3a59',
  is_anonymous: false,
};
const WITH_HOOK = { ...AS_WRITTEN, email_verified: true, phone_verified: true };

let issuer: Issuer;
beforeAll(async () => {
  issuer = await startIssuer('ES256');
});
afterAll(() => issuer.close());

async function claimsOf(payload: object, changes: Partial<IdentitySettings> = {}) {
  const settings = { ...issuer.settings, audience: 'authenticated', ...changes };
  const token = await issuer.token({ sub: 'b1b6f3f2-6a0c-4d57-8f3e-2c9d0a7e5b41', ...payload });
  return await createTokenVerifier(settings, logTo([]))(token);
}

it('without the hook nobody is verified, whatever users write of themselves', async () => {
  expect(await claimsOf(AS_WRITTEN)).toMatchObject({
    email: 'sue@shop.example',
    emailVerified: false,
    phoneVerified: false,
    clientIntent: true,
  });
});

it('with the hook and the claims of the document both contacts are verified', async () => {
  const documented = { phoneClaim: 'phone', phoneVerifiedClaim: 'phone_verified' };
  expect(await claimsOf(WITH_HOOK, documented)).toMatchObject({
    email: 'sue@shop.example',
    emailVerified: true,
    phone: '+12125550109',
    phoneVerified: true,
    clientIntent: true,
  });
});

it('the top-level role, which everybody has, is no intent', async () => {
  const { role, app_metadata } = AS_WRITTEN;
  const { role: _, ...others } = app_metadata;
  expect(role).toBe('authenticated');
  expect(await claimsOf({ ...WITH_HOOK, app_metadata: others })).toMatchObject({
    clientIntent: false,
  });
});

it('the hook that the document shows adds what the server knows, and keeps the rest', async () => {
  const text = await readFile(new URL('../../../docs/identity.md', import.meta.url), 'utf8');
  const [, block = ''] = /```sql\n([\s\S]*?)```/.exec(text) ?? [];
  const { owner, close } = await createEmptyDatabase();
  try {
    await owner.raw('create schema auth');
    await owner.raw(
      `create table auth.users (
        id uuid, email_confirmed_at timestamptz, phone_confirmed_at timestamptz
      )`,
    );
    // The roles of the statements that follow exist at Supabase only.
    await owner.raw(block.slice(0, block.indexOf('grant')));
    const id = 'b1b6f3f2-6a0c-4d57-8f3e-2c9d0a7e5b41';
    await owner.raw('insert into auth.users values (?, now(), null)', [id]);
    const claimsFor = async (person: string) => {
      const event = { user_id: person, claims: { sub: person, email_verified: 'anything' } };
      const { rows } = await owner.raw('select public.loyalty_claims(?::jsonb) as event', [
        JSON.stringify(event),
      ]);
      return rows[0].event.claims;
    };
    expect(await claimsFor(id)).toEqual({ sub: id, email_verified: true, phone_verified: false });
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect(await claimsFor(nobody)).toMatchObject({ email_verified: false, phone_verified: false });
  } finally {
    await close();
  }
});
