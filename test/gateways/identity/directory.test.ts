import { afterEach, describe, expect, it } from 'vitest';
import { createDirectory } from '../../../gateways/identity/create-directory.ts';
import type { Invitation } from '../../../gateways/identity/directory.ts';
import { DirectoryError } from '../../../gateways/identity/directory-request.ts';
import type { Mail, Mailer } from '../../../gateways/mail/mailer.ts';
import {
  type HttpReply,
  type HttpServer,
  type ReceivedRequest,
  startHttpServer,
} from '../../support/http-server.ts';

const TOKEN = 'service-key-that-must-stay-secret';
const invitation: Invitation = {
  id: '7',
  email: 'ann@shop.example',
  tenantName: 'Corner Café',
  redirectTo: 'https://app.shop.example/start',
};

let server: HttpServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const mails: Mail[] = [];
const mailer: Mailer = {
  async send(mail) {
    mails.push(mail);
  },
  async close() {},
};

async function gotrue(answer: (request: ReceivedRequest) => HttpReply | 'hangs') {
  server = await startHttpServer(answer);
  const adminUrl = `${server.url}/auth/v1`;
  return createDirectory({ kind: 'gotrue', adminUrl, adminToken: TOKEN }, mailer);
}

const REALM = '/admin/realms/shops';
const ORGANIZATION = `${REALM}/organizations/0f1e`;

async function keycloak(
  answer: (request: ReceivedRequest) => HttpReply | 'hangs',
  adminToken = TOKEN,
) {
  server = await startHttpServer(answer);
  return createDirectory(
    { kind: 'keycloak', adminUrl: `${server.url}${ORGANIZATION}`, adminToken },
    mailer,
  );
}

async function failure(work: Promise<unknown>): Promise<DirectoryError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof DirectoryError) return error;
  throw new Error('Expected a DirectoryError.', { cause: error });
}

describe('mail', () => {
  it('sends our own mail, with a link and an id that a repeated mail shares', async () => {
    const directory = createDirectory({ kind: 'mail' }, mailer);
    expect(await directory.isKnown(invitation.email)).toBe(false);
    expect(await directory.invite(invitation)).toEqual({ emailStatus: 'sent', isMailed: true });
    expect(mails.splice(0)).toEqual([
      {
        to: invitation.email,
        subject: 'You are invited to work at Corner Café',
        text: expect.stringContaining(invitation.redirectTo),
        messageId: 'invite.7',
      },
    ]);
  });
});

it.each(['gotrue', 'keycloak'] as const)('%s requires an address and a token', (kind) => {
  expect(() => createDirectory({ kind, adminUrl: 'https://id.example' }, mailer)).toThrow(
    `IDENTITY_DIRECTORY=${kind} needs IDENTITY_ADMIN_URL and IDENTITY_ADMIN_TOKEN`,
  );
});

describe('gotrue', () => {
  it('invites with the service key and a redirect', async () => {
    const directory = await gotrue(() => ({ status: 200, body: { id: '1', email: 'ann@…' } }));
    expect(await directory.invite(invitation)).toEqual({ emailStatus: 'sent', isMailed: true });
    expect(server?.requests).toMatchObject([
      {
        method: 'POST',
        path: '/auth/v1/invite?redirect_to=https%3A%2F%2Fapp.shop.example%2Fstart',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
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
  ])('existing_auth_user, without a mail, for an account reported by %s', async (_, body) => {
    const directory = await gotrue(() => ({ status: 422, body }));
    expect(await directory.invite(invitation)).toEqual({
      emailStatus: 'existing_auth_user',
      isMailed: false,
    });
  });

  it.each([
    { status: 422, body: { code: 422, error_code: 'signup_disabled' }, isTransient: false },
    { status: 400, body: { code: 400, error_code: 'email_address_invalid' }, isTransient: false },
    { status: 401, body: { message: 'no key' }, isTransient: true },
    { status: 429, body: { error_code: 'over_email_send_rate_limit' }, isTransient: true },
    { status: 500, body: { code: 500, error_code: 'unexpected_failure' }, isTransient: true },
    { status: 404, body: 'no such page', isTransient: true },
  ])('$status is transient: $isTransient', async ({ status, body, isTransient }) => {
    const directory = await gotrue(() => ({ status, body }));
    expect(await failure(directory.invite(invitation))).toMatchObject({ status, isTransient });
  });

  it('knows only a person with a confirmed account of exactly that e-mail', async () => {
    const users = [
      { email: 'joann@shop.example', email_confirmed_at: '2026-01-01T00:00:00Z' },
      { email: 'unconfirmed@shop.example', email_confirmed_at: null },
      { email: 'Ann@Shop.example', email_confirmed_at: '2026-01-01T00:00:00Z' },
    ];
    const directory = await gotrue(() => ({ status: 200, body: { users, aud: 'authenticated' } }));
    expect(await directory.isKnown('ann@shop.example')).toBe(true);
    expect(await directory.isKnown('unconfirmed@shop.example')).toBe(false);
    expect(await directory.isKnown('nn@shop.example')).toBe(false);
    expect(server?.requests[0]).toMatchObject({
      method: 'GET',
      path: '/auth/v1/admin/users?filter=ann%40shop.example',
    });
  });

  it('fails transiently for an unexpected response', async () => {
    const directory = await gotrue(() => ({ status: 200, body: '<html>' }));
    expect(await failure(directory.isKnown(invitation.email))).toMatchObject({ isTransient: true });
  });
});

describe('keycloak', () => {
  const noUsers: HttpReply = { status: 200, body: [] };
  const ann: HttpReply = { status: 200, body: [{ id: 'user-1', username: 'ann' }] };
  const realm = (users: HttpReply, invite: HttpReply) => (request: ReceivedRequest) =>
    request.path.startsWith(`${REALM}/users?`) ? users : invite;

  it('invites a person without an account by e-mail', async () => {
    const directory = await keycloak(realm(noUsers, { status: 204 }));
    expect(await directory.invite(invitation)).toEqual({ emailStatus: 'sent', isMailed: true });
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
  });

  it('invites an existing account by its id', async () => {
    const directory = await keycloak(realm(ann, { status: 204 }));
    expect(await directory.invite(invitation)).toEqual({
      emailStatus: 'existing_auth_user',
      isMailed: true,
    });
    expect(server?.requests[1]).toMatchObject({
      path: `${ORGANIZATION}/members/invite-existing-user`,
      body: 'id=user-1',
    });
  });

  it('409 for a pending invitation counts as sent', async () => {
    const body = { errorMessage: 'User already has a pending invitation' };
    const directory = await keycloak(realm(noUsers, { status: 409, body }));
    expect(await directory.invite(invitation)).toEqual({ emailStatus: 'sent', isMailed: true });
  });

  it('409 for a member is existing_auth_user, without a mail', async () => {
    const body = { errorMessage: 'User already a member of the organization' };
    const directory = await keycloak(realm(ann, { status: 409, body }));
    expect(await directory.invite(invitation)).toEqual({
      emailStatus: 'existing_auth_user',
      isMailed: false,
    });
  });

  it.each([
    { status: 400, body: { errorMessage: 'Invalid email format' }, isTransient: false },
    { status: 500, body: { errorMessage: 'Failed to send invite email' }, isTransient: true },
    { status: 409, body: 'from a proxy', isTransient: true },
    { status: 403, body: { error: 'HTTP 403 Forbidden' }, isTransient: true },
  ])('$status is transient: $isTransient', async ({ status, body, isTransient }) => {
    const directory = await keycloak(realm(noUsers, { status, body }));
    expect(await failure(directory.invite(invitation))).toMatchObject({ status, isTransient });
  });

  it('knows a person whom the realm knows', async () => {
    let users = ann;
    const directory = await keycloak(() => users);
    expect(await directory.isKnown(invitation.email)).toBe(true);
    users = noUsers;
    expect(await directory.isKnown(invitation.email)).toBe(false);
    users = { status: 401, body: { error: 'HTTP 401 Unauthorized' } };
    expect(await failure(directory.isKnown(invitation.email))).toMatchObject({ status: 401 });
  });

  it('obtains an access token with the secret of a client', async () => {
    const directory = await keycloak(
      ({ path }) =>
        path === '/realms/shops/protocol/openid-connect/token'
          ? { status: 200, body: { access_token: 'fresh-token', expires_in: 60 } }
          : ann,
      'loyalty:client:secret',
    );
    expect(await directory.isKnown(invitation.email)).toBe(true);
    const [asked, found] = server?.requests ?? [];
    expect(asked?.headers.authorization).toBeUndefined();
    expect(asked?.body).toBe(
      'grant_type=client_credentials&client_id=loyalty&client_secret=client%3Asecret',
    );
    expect(found?.headers.authorization).toBe('Bearer fresh-token');
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
      expect(await failure(directory.isKnown(invitation.email))).toMatchObject({ status: null });
      expect(elsewhere.requests).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  });

  it('times out on a look-up without a response', async () => {
    const directory = await start(() => 'hangs');
    expect(await failure(directory.isKnown(invitation.email))).toMatchObject({ isTransient: true });
  });

  it('is transient when no server listens', async () => {
    const directory = await start(() => 'hangs');
    await server?.close();
    server = undefined;
    expect(await failure(directory.invite(invitation))).toMatchObject({
      status: null,
      isTransient: true,
    });
  });

  it('includes neither the person, the token nor the response in the error', async () => {
    const directory = await start(({ headers, body }) => ({
      status: 500,
      body: { msg: `${headers.authorization} ${body} ann@shop.example` },
    }));
    const error = await failure(directory.invite(invitation));
    const everything = `${JSON.stringify(error)} ${error.message} ${error.stack} ${error.cause}`;
    expect(everything).toContain('The identity directory answered 500.');
    for (const secret of [TOKEN, 'ann@', 'ann%40', 'Corner']) {
      expect(everything).not.toContain(secret);
    }
  });
});
