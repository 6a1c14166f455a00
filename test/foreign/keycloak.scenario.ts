import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createIssuerKeys,
  IdentityProviderUnavailable,
} from '../../gateways/identity/issuer-keys.ts';
import { createTokenVerifier } from '../../gateways/identity/token-verifier.ts';
import { type MailSink, startMailSink } from '../../sandbox/mail/sink.ts';
import { logTo } from '../support/log.ts';
import { type Keycloak, startKeycloak } from './keycloak.ts';
import { ensureKeycloak, ifThere } from './programs.ts';
import { AUDIENCE, createRealm, type Realm } from './realm.ts';
import { cleanUps, makeFolder, type Service, startRealService } from './service.ts';

// A stranger's way from an empty Keycloak to a shop that works, and everything that lies beside it.
// The steps build on each other.

const found = await ensureKeycloak();
const undo = cleanUps();
let keycloak: Keycloak;
let realm: Realm;
let service: Service;
let mail: MailSink;
/** Of the merchant, who is approved in the course of the first steps. */
let tenantId: string;

const tokenOf = async (name: string) => (await realm.signIn(name)).access_token;
const me = (token: string) => service.call(token, 'GET', '/auth/me');
const invite = (token: string, email: string) =>
  service.call(token, 'POST', `/client/tenants/${tenantId}/store-operator-invites`, { email });
const withdraw = (token: string, id: unknown) =>
  service.call(token, 'DELETE', `/client/tenants/${tenantId}/store-operator-invites/${id}`);
const mailsTo = (email: string) =>
  mail.mails().filter(({ recipients }) => recipients.includes(email)).length;
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('Keycloak', ifThere(found), () => {
  beforeAll(async () => {
    const folder = await makeFolder(undo);
    mail = await startMailSink({ port: 0, webPort: 0, dir: `${folder}/mail` });
    undo.add(mail.stop);
    keycloak = await startKeycloak('path' in found ? found.path : '', folder);
    undo.add(keycloak.stop);
    const smtpPort = Number(new URL(mail.smtpUrl).port);
    realm = await createRealm(keycloak, { smtpPort, frontendUrl: 'http://127.0.0.1:9' });
    await realm.addPerson('ada', { email: 'ada@staff.example' });
    for (const name of ['mia', 'max']) await realm.addPerson(name, { role: 'client' });
    for (const name of ['carol', 'bob']) await realm.addPerson(name);
    service = await startRealService(undo, {
      ...realm.env,
      SMTP_URL: mail.smtpUrl,
      BOOTSTRAP_ADMIN_EMAILS: 'ada@staff.example',
    });
  });
  afterAll(() => undo.run());

  describe('signing in', () => {
    it('needs the audience mapper, and says so', async () => {
      await realm.setAudience(false);
      const refused = await me(await tokenOf('carol'));
      expect(refused.status).toBe(401);
      const issue = { code: 'token_invalid', params: { claim: 'aud' } };
      expect(refused.body.issues).toMatchObject([issue]);
      await realm.setAudience(true);
      const accepted = await me(await tokenOf('carol'));
      expect(accepted).toMatchObject({
        status: 200,
        body: { role: 'consumer', status: 'active', email: 'carol@shop.example' },
      });
    });

    it('takes access tokens only', async () => {
      const { id_token, refresh_token } = await realm.signIn('carol');
      expect((await me(id_token)).status).toBe(401);
      expect((await me(refresh_token)).status).toBe(401);
    });

    it('makes the first administrator', async () => {
      const ada = await me(await tokenOf('ada'));
      expect(ada.body).toMatchObject({ role: 'admin', status: 'active', canUseApp: true });
    });

    it('makes a merchant of whom the realm role says so, once approved', async () => {
      const token = await tokenOf('mia');
      const { body } = await me(token);
      expect(body).toMatchObject({ role: 'client', status: 'pending_approval' });
      const approval = `/admin/users/${body.userId}/approve`;
      const approved = await service.call(await tokenOf('ada'), 'PATCH', approval);
      expect(approved.status).toBe(200);
      const { tenantIds } = (await me(token)).body;
      expect(tenantIds).toHaveLength(1);
      tenantId = String(approved.body.tenantId);
    });
  });

  describe('keys', () => {
    it.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('%s is accepted at once', async (algorithm) => {
      const key = await realm.addKey(algorithm);
      const token = await tokenOf('carol');
      expect(JSON.parse(atob(token.split('.')[0] ?? '')).alg).toBe(algorithm);
      expect((await me(token)).status).toBe(200);
      await realm.removeKey(key);
    });

    it('RS384 is refused', async () => {
      const key = await realm.addKey('RS384');
      expect((await me(await tokenOf('carol'))).status).toBe(401);
      await realm.removeKey(key);
    });

    it('two rotations within seconds heal without a restart; a retired key goes', async () => {
      const before = await realm.addKey('ES256');
      const old = await tokenOf('carol');
      expect((await me(old)).status).toBe(200);
      for (let times = 0; times < 2; times++) {
        await realm.addKey('ES256');
        expect((await me(await tokenOf('carol'))).status).toBe(200);
      }
      await realm.removeKey(before);
      await realm.addKey('ES256');
      expect((await me(await tokenOf('carol'))).status).toBe(200);
      expect((await me(old)).status).toBe(401);
    });
  });

  describe('invitations', () => {
    it('of an unknown person is mailed, and the first sign-in accepts it', async () => {
      const email = 'una@invited.example';
      const answer = await invite(await tokenOf('mia'), email);
      expect(answer).toMatchObject({ status: 200, body: { inviteEmailStatus: 'sent' } });
      await expect.poll(() => mailsTo(email), { timeout: 30_000 }).toBe(1);
      await realm.addPerson('una', { email });
      const una = await me(await tokenOf('una'));
      expect(una.body).toMatchObject({ role: 'pos_operator', tenantIds: [tenantId] });
    });

    it('repeated while it waits: one mail', async () => {
      const [token, email] = [await tokenOf('mia'), 'robin@invited.example'];
      const first = await invite(token, email);
      expect((await invite(token, email)).body.inviteId).toBe(first.body.inviteId);
      await expect.poll(() => mailsTo(email), { timeout: 30_000 }).toBe(1);
      await wait(15_000);
      expect(mailsTo(email)).toBe(1);
    });

    it.each([
      ['known to us', 'carol@shop.example'],
      ['known to Keycloak only', 'bob@shop.example'],
      ['not known', 'nora@invited.example'],
    ])('of a person %s, withdrawn and made again: one mail in a day', async (_, email) => {
      const token = await tokenOf('mia');
      const first = await invite(token, email);
      expect(first.status).toBe(200);
      await expect.poll(() => mailsTo(email), { timeout: 30_000 }).toBe(1);
      expect((await withdraw(token, first.body.inviteId)).status).toBe(200);
      expect((await invite(token, email)).status).toBe(200);
      await wait(25_000);
      expect(mailsTo(email)).toBe(1);
    });
  });

  it('a second shop invites who waits already for the first: told, and once', async () => {
    const [token, email] = [await tokenOf('max'), 'nora@invited.example'];
    const { body } = await me(token);
    const ada = await tokenOf('ada');
    const approved = await service.call(ada, 'PATCH', `/admin/users/${body.userId}/approve`);
    const before = mailsTo(email);
    const path = `/client/tenants/${approved.body.tenantId}/store-operator-invites`;
    expect((await service.call(token, 'POST', path, { email })).status).toBe(200);
    await expect.poll(() => mailsTo(email), { timeout: 30_000 }).toBeGreaterThan(before);
    await wait(25_000);
    // Keycloak refuses a second invitation, and mails it all the same; ours names the shop.
    expect(mailsTo(email)).toBeLessThanOrEqual(before + 2);
  });

  describe('a Keycloak that hangs', () => {
    it('holds up neither the inviting merchant nor anybody else', async () => {
      const [mia, carol] = [await tokenOf('mia'), await tokenOf('carol')];
      keycloak.hang();
      try {
        const emails = Array.from({ length: 12 }, (_, index) => `h${index}@invited.example`);
        const begun = performance.now();
        const invites = Promise.all(emails.map((email) => invite(mia, email)));
        await wait(500);
        const asked = performance.now();
        expect((await me(carol)).status).toBe(200);
        expect(performance.now() - asked).toBeLessThan(3_000);
        const ready = await fetch(`${service.apiUrl}/health/ready`);
        expect(ready.status).toBe(200);
        expect((await invites).map(({ status }) => status)).toEqual(emails.map(() => 200));
        expect(performance.now() - begun).toBeLessThan(8_000);
      } finally {
        keycloak.goOn();
      }
      const sent = () => mail.mails().filter(({ recipients }) => /^h\d/.test(String(recipients)));
      await expect.poll(() => sent().length, { timeout: 120_000 }).toBe(12);
    });

    it('keeps its keys in use for hours, with nobody waiting', async () => {
      const { access_token } = await realm.signIn('carol');
      let clock = 0;
      const log = logTo([]);
      const find = createIssuerKeys({ issuer: realm.issuer, log, now: () => clock });
      const [header = ''] = access_token.split('.');
      const { kid, alg } = JSON.parse(atob(header));
      const look = async () => find({ alg, kid }, { payload: '', signature: '' });
      await look();
      keycloak.hang();
      try {
        clock += 11 * 60_000;
        await look();
        const begun = performance.now();
        for (let hours = 0; hours < 10; hours++) {
          clock += 3_600_000;
          await look();
        }
        expect(performance.now() - begun).toBeLessThan(1_000);
        clock += 3 * 3_600_000;
        await expect(look()).rejects.toBeInstanceOf(IdentityProviderUnavailable);
      } finally {
        keycloak.goOn();
      }
    });
  });

  it('gone: whoever is signed in stays so, and who starts anew is answered 503', async () => {
    const token = await tokenOf('carol');
    expect((await me(token)).status).toBe(200);
    await keycloak.stop();
    expect((await me(token)).status).toBe(200);
    const anew = createTokenVerifier(
      {
        issuer: realm.issuer,
        audience: AUDIENCE,
        emailClaim: 'email',
        emailVerifiedClaim: 'email_verified',
        phoneClaim: 'phone_number',
        phoneVerifiedClaim: 'phone_number_verified',
        clientIntentClaim: 'realm_access.roles',
      },
      logTo([]),
    );
    await expect(anew(token)).rejects.toBeInstanceOf(IdentityProviderUnavailable);
  });
});
