import { z } from 'zod';
import type { IdentityDirectory } from './directory.ts';
import { ask, LOOKUP_TIMEOUT_MS, unexpected } from './directory-request.ts';

const Users = z.array(z.object({ id: z.string() }));
const Token = z.object({ access_token: z.string() });

/**
 * Uses Keycloak 25 or later. The URL is that of an organisation in the admin API,
 * `…/admin/realms/{realm}/organizations/{id}`. The token is an access token for that API, or
 * `{client id}:{client secret}` of a client, with which one is obtained for each call.
 */
export function createKeycloakDirectory(at: { url: string; token: string }): IdentityDirectory {
  const organization = at.url;
  const realm = organization.replace(/\/organizations\/[^/]+$/, '');

  async function find(email: string, headers: Headers): Promise<string | undefined> {
    const address = new URL(`${realm}/users`);
    address.search = new URLSearchParams({ email, exact: 'true' }).toString();
    const timeoutMs = LOOKUP_TIMEOUT_MS;
    const answer = await ask(address, { call: 'looking up a user', headers, timeoutMs });
    const found = Users.safeParse(answer.body);
    if (answer.status !== 200 || !found.success) throw unexpected(answer);
    return found.data[0]?.id;
  }

  return {
    async invite({ email }) {
      const headers = await authorization(realm, at.token);
      const id = await find(email, headers);
      const step = id === undefined ? 'invite-user' : 'invite-existing-user';
      const form = id === undefined ? { email } : { id };
      const url = new URL(`${organization}/members/${step}`);
      const answer = await ask(url, { call: `members/${step}`, sendsMail: true, headers, form });
      if (answer.status === 204) return { isMailed: true };
      // The person is a member, or an invitation waits or has expired. Keycloak may have sent a
      // mail before it found that out, and would send another one each time it is asked.
      if (answer.status === 409) return { isMailed: false };
      throw unexpected(answer);
    },

    async check() {
      const headers = await authorization(realm, at.token);
      await find('nobody@invalid', headers);
      const timeoutMs = LOOKUP_TIMEOUT_MS;
      const call = 'reading the organization';
      const answer = await ask(new URL(organization), { call, headers, timeoutMs });
      if (answer.status !== 200) throw unexpected(answer);
    },
  };
}

type Headers = { authorization: string };

async function authorization(realm: string, credentials: string): Promise<Headers> {
  const separator = credentials.indexOf(':');
  if (separator === -1) return { authorization: `Bearer ${credentials}` };
  const address = `${realm.replace('/admin/realms/', '/realms/')}/protocol/openid-connect/token`;
  const answer = await ask(new URL(address), {
    call: 'obtaining a token',
    timeoutMs: LOOKUP_TIMEOUT_MS,
    form: {
      grant_type: 'client_credentials',
      client_id: credentials.slice(0, separator),
      client_secret: credentials.slice(separator + 1),
    },
  });
  const issued = Token.safeParse(answer.body);
  if (answer.status !== 200 || !issued.success) throw unexpected(answer);
  return { authorization: `Bearer ${issued.data.access_token}` };
}
