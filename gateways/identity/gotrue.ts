import { z } from 'zod';
import type { IdentityDirectory } from './directory.ts';
import { ask, LOOKUP_TIMEOUT_MS, unexpected } from './directory-request.ts';

/** The newest API version puts the error code into `code`, older ones into `error_code`. */
const EmailExists = z.union([
  z.object({ error_code: z.literal('email_exists') }),
  z.object({ code: z.literal('email_exists') }),
]);

/** Uses Supabase Auth (GoTrue) at the URL of its API, with a service key. */
export function createGotrueDirectory(at: { url: string; token: string }): IdentityDirectory {
  const { url, token } = at;
  // The gateway before a hosted or self-hosted Supabase admits by `apikey`, GoTrue by the token.
  const headers = { authorization: `Bearer ${token}`, apikey: token };

  return {
    async invite({ email, tenantName, inviteUrl }) {
      const address = new URL(`${url}/invite`);
      address.searchParams.set('redirect_to', inviteUrl);
      const json = { email, data: { invited_by: tenantName } };
      const request = { call: 'inviting a person', sendsMail: true, headers, json } as const;
      const answer = await ask(address, request);
      if (answer.status === 200) return { isMailed: true };
      const isKnown = answer.status === 422 && EmailExists.safeParse(answer.body).success;
      if (isKnown) return { isMailed: false };
      throw unexpected(answer);
    },

    async check() {
      const address = new URL(`${url}/admin/users?per_page=1`);
      const timeoutMs = LOOKUP_TIMEOUT_MS;
      const answer = await ask(address, { call: 'listing users', headers, timeoutMs });
      if (answer.status !== 200) throw unexpected(answer);
    },
  };
}
