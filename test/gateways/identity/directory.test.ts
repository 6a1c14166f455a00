import { afterEach, describe, expect, it } from 'vitest';
import { createDirectory } from '../../../gateways/identity/create-directory.ts';
import type { Invitation } from '../../../gateways/identity/directory.ts';
import { DirectoryError } from '../../../gateways/identity/directory-request.ts';
import {
  type HttpReply,
  type HttpServer,
  type ReceivedRequest,
  startHttpServer,
} from '../../support/http/http-server.ts';

const TOKEN = 'service-key-that-must-stay-secret';
const invitation: Invitation = {
  email: 'ann@shop.example',
  tenantName: 'Corner Café',
  inviteUrl: 'https://app.shop.example/invites/7',
};

let server: HttpServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function gotrue(answer: (request: ReceivedRequest) => HttpReply | 'hangs') {
  server = await startHttpServer(answer);
  const adminUrl = `${server.url}/auth/v1`;
  return createDirectory({ kind: 'gotrue', adminUrl, adminToken: TOKEN });
}

const REALM = '/admin/realms/shops';
const ORGANIZATION = `${REALM}/organizations/0f1e`;

async function keycloak(
  answer: (request: ReceivedRequest) => HttpReply | 'hangs',
  adminToken = TOKEN,
) {
  server = await startHttpServer(answer);
  return createDirectory({
    kind: 'keycloak',
    adminUrl: `${server.url}${ORGANIZATION}`,
    adminToken,
  });
}

async function failure(work: Promise<unknown>): Promise<DirectoryError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof DirectoryError) return error;
  throw new Error('Expected a DirectoryError.', { cause: error });
}

it('mail leaves the mail to us', async () => {
  const directory = createDirectory({ kind: 'mail' });
  await directory.check();
  expect(await directory.invite(invitation)).toEqual({ isMailed: false });
});

it.each(['gotrue', 'keycloak'] as const)('%s requires an address and a token', (kind) => {
  expect(() => createDirectory({ kind, adminUrl: 'https://id.example' })).toThrow(
    `IDENTITY_DIRECTORY=${kind} needs IDENTITY_ADMIN_URL and IDENTITY_ADMIN_TOKEN`,
  );
});

describe('gotrue', () => {
  it('invites with the service key, for GoTrue and for the gateway before it', async () => {
    const directory = await gotrue(() => ({ status: 200, body: { id: '1', email: 'ann@…' } }));
    expect(await directory.invite(invitation)).toEqual({ isMailed: true });
    expect(server?.requests).toMatchObject([
      {
        method: 'POST',
        path: '/auth/v1/invite?redirect_to=https%3A%2F%2Fapp.shop.example%2Finvites%2F7',
        headers: {
          authorization: `Bearer ${TOKEN}`,
          apikey: TOKEN,
          'content-type': 'application/json',
        },
      },
    ]);
    expect(JSON.parse(server?.requests[0]?.body ?? '')).toEqual({
      email: invitation.email,
      data: { invited_by: 'Corner Café' },
    });
  });

  it.each([
    ['error_code', { code: 422, error_code: 'email_exists', msg: 'A user with this email …' }],
    ['code, in the newer API version', { code: 'email_exists', message: 'A user with this …' }],
  ])('leaves the mail to us for an account reported by %s', async (_, body) => {
    const directory = await gotrue(() => ({ status: 422, body }));
    expect(await directory.invite(invitation)).toEqual({ isMailed: false });
  });

  it.each([
    { status: 422, body: { code: 422, error_code: 'signup_disabled' }, isTransient: false },
    { status: 400, body: { code: 400, error_code: 'email_address_invalid' }, isTransient: false },
    { status: 401, body: { message: 'No API key found in request' }, isTransient: true },
    { status: 429, body: { error_code: 'over_email_send_rate_limit' }, isTransient: true },
    { status: 500, body: { code: 500, error_code: 'unexpected_failure' }, isTransient: true },
    { status: 404, body: 'no such page', isTransient: true },
  ])('$status is transient: $isTransient', async ({ status, body, isTransient }) => {
    const directory = await gotrue(() => ({ status, body }));
    const error = await failure(directory.invite(invitation));
    expect(error).toMatchObject({ status, isTransient, isUnclear: false });
    expect(error.message).toBe(`The identity directory answered ${status}: inviting a person.`);
  });

  it('checks its address and key with a list of users', async () => {
    const reply = { status: 200, body: { users: [] } };
    const directory = await gotrue(() => reply);
    await directory.check();
    expect(server?.requests).toMatchObject([
      { method: 'GET', path: '/auth/v1/admin/users?per_page=1', headers: { apikey: TOKEN } },
    ]);
    reply.status = 403;
    expect((await failure(directory.check())).message).toBe(
      'The identity directory answered 403: listing users.',
    );
  });
});

describe('keycloak', () => {
  const noUsers: HttpReply = { status: 200, body: [] };
  const ann: HttpReply = { status: 200, body: [{ id: 'user-1', username: 'ann' }] };
  const realm = (users: HttpReply, invite: HttpReply) => (request: ReceivedRequest) =>
    request.path.startsWith(`${REALM}/users?`) ? users : invite;

  it('invites a person without an account by e-mail', async () => {
    const directory = await keycloak(realm(noUsers, { status: 204 }));
    expect(await directory.invite(invitation)).toEqual({ isMailed: true });
    expect(server?.requests).toMatchObject([
      { method: 'GET', path: `${REALM}/users?email=ann%40shop.example&exact=true` },
      {
        method: 'POST',
        path: `${ORGANIZATION}/members/invite-user`,
        headers: {
          authorization: `Bearer ${TOKEN}`,
          'content-type': expect.stringContaining('application/x-www-form-urlencoded'),
        },
        body: 'email=ann%40shop.example',
      },
    ]);
    expect(server?.requests[1]?.headers).not.toHaveProperty('apikey');
  });

  it('invites an existing account by its id', async () => {
    const directory = await keycloak(realm(ann, { status: 204 }));
    expect(await directory.invite(invitation)).toEqual({ isMailed: true });
    expect(server?.requests[1]).toMatchObject({
      path: `${ORGANIZATION}/members/invite-existing-user`,
      body: 'id=user-1',
    });
  });

  // As Keycloak 26 answers. The second comes after it has sent a mail, each time that it is asked.
  it.each([
    [
      'an invitation that waits',
      noUsers,
      { errorMessage: 'User already has a pending invitation' },
    ],
    [
      'an invitation that waits for a known person, or has expired',
      ann,
      { error: 'conflict', error_description: 'Duplicate resource error' },
    ],
    ['a member', ann, { errorMessage: 'User already a member of the organization' }],
    ['whatever a proxy says', ann, 'Conflict'],
  ])('409 for %s leaves the mail to us, and is final', async (_, users, body) => {
    const directory = await keycloak(realm(users, { status: 409, body }));
    expect(await directory.invite(invitation)).toEqual({ isMailed: false });
  });

  it.each([
    { status: 400, body: { errorMessage: 'Invalid email format' }, isTransient: false },
    { status: 500, body: { errorMessage: 'Failed to send invite email' }, isTransient: true },
    { status: 404, body: { error: 'HTTP 404 Not Found' }, isTransient: true },
    { status: 403, body: { error: 'HTTP 403 Forbidden' }, isTransient: true },
  ])('$status is transient: $isTransient', async ({ status, body, isTransient }) => {
    const directory = await keycloak(realm(noUsers, { status, body }));
    const error = await failure(directory.invite(invitation));
    expect(error).toMatchObject({ status, isTransient, isUnclear: false });
    expect(error.message).toBe(`The identity directory answered ${status}: members/invite-user.`);
  });

  const TOKEN_PATH = '/realms/shops/protocol/openid-connect/token';

  it('obtains an access token with the secret of a client', async () => {
    const directory = await keycloak(
      ({ path }) =>
        path === TOKEN_PATH
          ? { status: 200, body: { access_token: 'fresh-token', expires_in: 60 } }
          : ann,
      'loyalty:client:secret',
    );
    await directory.check();
    const [asked, found, read] = server?.requests ?? [];
    expect(asked?.headers.authorization).toBeUndefined();
    expect(asked?.body).toBe(
      'grant_type=client_credentials&client_id=loyalty&client_secret=client%3Asecret',
    );
    expect(found?.headers.authorization).toBe('Bearer fresh-token');
    expect(read?.path).toBe(ORGANIZATION);
  });

  it.each([
    ['the token', TOKEN_PATH, 'obtaining a token'],
    ['the users', `${REALM}/users`, 'looking up a user'],
    ['the organization', ORGANIZATION, 'reading the organization'],
  ])('the check names what it may not do with %s', async (_, refused, call) => {
    const directory = await keycloak(
      ({ path }) =>
        path.startsWith(refused)
          ? { status: 403 }
          : { status: 200, body: path === TOKEN_PATH ? { access_token: 'fresh' } : [] },
      'loyalty:secret',
    );
    expect((await failure(directory.check())).message).toBe(
      `The identity directory answered 403: ${call}.`,
    );
  });

  it.each([
    ['token', TOKEN_PATH],
    ['look-up', `${REALM}/users`],
  ])('does not wait long for the %s, which sends no mail', async (_, hanging) => {
    const directory = await keycloak(
      ({ path }) =>
        path.startsWith(hanging) ? 'hangs' : { status: 200, body: { access_token: 'fresh' } },
      'loyalty:secret',
    );
    const begun = performance.now();
    const error = await failure(directory.invite(invitation));
    expect(error).toMatchObject({ isTransient: true, isUnclear: false });
    expect(error.message).toContain('did not answer in time');
    expect(performance.now() - begun).toBeLessThan(6_000);
  });

  it('may have mailed when a proxy waited for it in vain', async () => {
    const directory = await keycloak(realm(ann, { status: 504 }));
    expect(await failure(directory.invite(invitation))).toMatchObject({ isUnclear: true });
  });
});

describe.each([
  ['gotrue', gotrue],
  ['keycloak', keycloak],
] as const)('%s, when a request fails', (_, start) => {
  it('follows no redirect, which would send the token elsewhere', async () => {
    const elsewhere = await startHttpServer(() => ({ status: 200, body: {} }));
    try {
      const headers = { location: `${elsewhere.url}/` };
      const directory = await start(() => ({ status: 307, headers }));
      expect(await failure(directory.invite(invitation))).toMatchObject({ isTransient: true });
      expect(await failure(directory.check())).toMatchObject({ status: null });
      expect(elsewhere.requests).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });

  it('may have mailed when it never answers to an invitation', async () => {
    const directory = await start(({ method }) =>
      method === 'POST' ? 'hangs' : { status: 200, body: [] },
    );
    const error = await failure(directory.invite(invitation));
    expect(error).toMatchObject({ isTransient: true, isUnclear: true });
  });

  it('has not mailed when no server listens', async () => {
    const directory = await start(() => 'hangs');
    await server?.close();
    server = undefined;
    expect(await failure(directory.invite(invitation))).toMatchObject({
      status: null,
      isTransient: true,
      isUnclear: false,
    });
  });

  it('includes neither the person, the token nor the response in the error', async () => {
    const directory = await start(({ headers, body }) => ({
      status: 500,
      body: { msg: `${headers.authorization} ${body} ann@shop.example` },
    }));
    const error = await failure(directory.invite(invitation));
    const everything = `${JSON.stringify(error)} ${error.message} ${error.stack} ${error.cause}`;
    expect(everything).toContain('The identity directory answered 500');
    for (const secret of [TOKEN, 'ann@', 'ann%40', 'Corner']) {
      expect(everything).not.toContain(secret);
    }
  });
});
