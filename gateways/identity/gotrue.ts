import { z } from 'zod';
import type { IdentityDirectory } from './directory.ts';
import { ask, LOOKUP_TIMEOUT_MS, unexpected } from './directory-request.ts';

const Users = z.object({
  users: z.array(
    z.object({ email: z.string().nullish(), email_confirmed_at: z.string().nullish() }),
  ),
});

/** The newest API version puts the error code into `code`, older ones into `error_code`. */
const EmailExists = z.union([
  z.object({ error_code: z.literal('email_exists') }),
  z.object({ code: z.literal('email_exists') }),
]);

/** Uses Supabase Auth (GoTrue) at the URL of its API, with a service key. */
export function createGotrueDirectory(at: { url: string; token: string }): IdentityDirectory {
  const { url, token } = at;

  return {
    async isKnown(email) {
      const address = new URL(`${url}/admin/users`);
      // The filter matches substrings, so the results are compared exactly below.
      address.searchParams.set('filter', email);
      const answer = await ask(address, { token, timeoutMs: LOOKUP_TIMEOUT_MS });
      const found = Users.safeParse(answer.body);
      if (answer.status !== 200 || !found.success) throw unexpected(answer);
      return found.data.users.some(
        (user) => user.email?.toLowerCase() === email && Boolean(user.email_confirmed_at),
      );
    },

    async invite({ email, tenantName, redirectTo }) {
      const address = new URL(`${url}/invite`);
      address.searchParams.set('redirect_to', redirectTo);
      const answer = await ask(address, {
        token,
        json: { email, data: { invited_by: tenantName } },
      });
      if (answer.status === 200) return { emailStatus: 'sent', isMailed: true };
      if (answer.status === 422 && EmailExists.safeParse(answer.body).success) {
        return { emailStatus: 'existing_auth_user', isMailed: false };
      }
      throw unexpected(answer);
    },
  };
}
