import { z } from 'zod';
import type { IdentityDirectory } from './directory.ts';
import { ask, type DirectoryAnswer, LOOKUP_TIMEOUT_MS, unexpected } from './directory-request.ts';

const Users = z.array(z.object({ id: z.string() }));
const Refused = z.object({ errorMessage: z.string() });
const Token = z.object({ access_token: z.string() });

/**
 * Uses Keycloak 25 or later. The URL is that of an organisation in the admin API,
 * `…/admin/realms/{realm}/organizations/{id}`. The token is an access token for that API, or
 * `{client id}:{client secret}` of a client, with which one is obtained for each call.
 */
export function createKeycloakDirectory(at: { url: string; token: string }): IdentityDirectory {
  const organization = at.url;
  const realm = organization.replace(/\/organizations\/[^/]+$/, '');

  async function find(email: string, token: string): Promise<string | undefined> {
    const address = new URL(`${realm}/users`);
    address.search = new URLSearchParams({ email, exact: 'true' }).toString();
    const answer = await ask(address, { token, timeoutMs: LOOKUP_TIMEOUT_MS });
    const found = Users.safeParse(answer.body);
    if (answer.status !== 200 || !found.success) throw unexpected(answer);
    return found.data[0]?.id;
  }

  return {
    async isKnown(email) {
      return (await find(email, await accessToken(realm, at.token))) !== undefined;
    },

    async invite({ email }) {
      const token = await accessToken(realm, at.token);
      const id = await find(email, token);
      if (id === undefined) {
        const url = new URL(`${organization}/members/invite-user`);
        const answer = await ask(url, { token, form: { email } });
        // A conflict means that an invitation of this person is pending.
        if (answer.status === 204 || isRefusal(answer))
          return { emailStatus: 'sent', isMailed: true };
        throw unexpected(answer);
      }
      const url = new URL(`${organization}/members/invite-existing-user`);
      const answer = await ask(url, { token, form: { id } });
      const emailStatus = 'existing_auth_user';
      if (answer.status === 204) return { emailStatus, isMailed: true };
      // A conflict means that the person is a member already, whom Keycloak sends no mail.
      if (isRefusal(answer)) return { emailStatus, isMailed: false };
      throw unexpected(answer);
    },
  };
}

function isRefusal({ status, body }: DirectoryAnswer): boolean {
  return status === 409 && Refused.safeParse(body).success;
}

async function accessToken(realm: string, credentials: string): Promise<string> {
  const separator = credentials.indexOf(':');
  if (separator === -1) return credentials;
  const address = `${realm.replace('/admin/realms/', '/realms/')}/protocol/openid-connect/token`;
  const answer = await ask(new URL(address), {
    form: {
      grant_type: 'client_credentials',
      client_id: credentials.slice(0, separator),
      client_secret: credentials.slice(separator + 1),
    },
  });
  const issued = Token.safeParse(answer.body);
  if (answer.status !== 200 || !issued.success) throw unexpected(answer);
  return issued.data.access_token;
}
