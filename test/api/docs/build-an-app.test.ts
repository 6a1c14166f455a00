import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseHTML } from 'linkedom';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routes } from '../../../api/routes/index.ts';
import { createTokenVerifier } from '../../../gateways/identity/token-verifier.ts';
import { PEOPLE } from '../../../sandbox/identity/people.ts';
import {
  type IdentityProvider,
  startIdentityProvider,
} from '../../../sandbox/identity/provider.ts';
import { Browser, obtainToken } from '../../../sandbox/identity/sign-in.ts';
import { newSigningKey } from '../../../sandbox/state.ts';
import { aRule, aTenant, required } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { type Served, serveRoutes } from '../../support/http/serve-routes.ts';
import { logTo } from '../../support/log.ts';
import { aTill } from '../../support/points/payments.ts';

// The page's own code, run as an app would: people sign in for real, and redeem at a till.

const execute = promisify(execFile);
const { db } = await useDatabase();
const audience = 'loyalty-api';
const redirectUri = 'http://127.0.0.1:5173/callback';

const page = await readFile(
  new URL('../../../api/docs/build-an-app.html', import.meta.url),
  'utf8',
);
const samples = new Map(
  [...parseHTML(page).document.querySelectorAll('code[data-sample]')].map((code) => [
    code.getAttribute('data-sample') ?? '',
    code.textContent ?? '',
  ]),
);
const LIBRARY = new URL(
  '../../../node_modules/oidc-client-ts/dist/esm/oidc-client-ts.js',
  import.meta.url,
);
/** A sample as it stands, with what it imports found outside of the repository too. */
const sample = (name: string) =>
  required(samples.get(name)).replace("'oidc-client-ts'", JSON.stringify(LIBRARY.href));

let folder: string;
let provider: IdentityProvider;
let served: Served;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loyalty-guide-'));
  const signingKey = await newSigningKey();
  provider = await startIdentityProvider({ port: 0, signingKey, people: PEOPLE, audience });
  const claims = { emailClaim: 'email', emailVerifiedClaim: 'email_verified' };
  const phone = { phoneClaim: 'phone_number', phoneVerifiedClaim: 'phone_number_verified' };
  const rest = { clientIntentClaim: 'app_metadata.role', ...claims, ...phone };
  const identity = { issuer: provider.issuer, audience, ...rest };
  served = await serveRoutes(routes, {
    db,
    verifyToken: createTokenVerifier(identity, logTo([])),
    settings: { oidcIssuer: provider.issuer },
  });
});
afterAll(async () => {
  await served.close();
  await provider.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Signs somebody in, so that the service knows them, and returns the token and the user's id. */
async function signedIn(person: 'consumer' | 'operator') {
  const token = await obtainToken({ issuer: provider.issuer, person });
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${served.url}/api/v1/auth/me`, { headers });
  return { token, ...z.object({ userId: z.string() }).parse(await answer.json()) };
}

/** A shop with three sales to the consumer, and the operator at its till. */
async function aShop() {
  const tenantId = await aTenant(db);
  await aRule(db, tenantId);
  await signedIn('consumer');
  const operator = await signedIn('operator');
  const role = 'pos_operator';
  await db('users').where({ id: operator.userId }).update({ role });
  await db('memberships').insert({ tenantId, userId: operator.userId, role });
  const sell = await aTill(db, tenantId);
  for (const amount of [10_000, 20_000, 30_000]) {
    await sell({ email: PEOPLE.consumer.email, amount });
  }
  return operator.token;
}

/** Runs a module of samples, and returns what it says at the end. */
async function run(lines: readonly string[]): Promise<unknown> {
  const file = join(folder, 'app.mjs');
  await writeFile(file, lines.join('\n\n'));
  const { stdout } = await execute(process.execPath, [file]);
  return JSON.parse(stdout);
}

/** Pages of lists are at the service's public address, which leads nowhere in a test. */
const settings = () => `const direct = fetch;
globalThis.fetch = (url, options) =>
  direct(String(url).replace('https://api.shop.example', API), options);
const API = ${JSON.stringify(served.url)};
const CLIENT_ID = 'sandbox';
const REDIRECT_URI = ${JSON.stringify(redirectUri)};`;

/** What a browser has and Node does not. */
const browserWith = (stored: Record<string, string>, href: string) => `
const stored = ${JSON.stringify(stored)};
globalThis.sessionStorage = {
  getItem: (name) => stored[name] ?? null,
  setItem: (name, value) => { stored[name] = value; },
  removeItem: (name) => { delete stored[name]; },
  key: (index) => Object.keys(stored)[index] ?? null,
  get length() { return Object.keys(stored).length; },
};
const location = {
  href: ${JSON.stringify(href)},
  assign: (url) => console.log(JSON.stringify({ url, stored })),
};`;

const END = `
const body = '{"type":"points.credited"}';
const secret = 'whsec_' + btoa('a secret of the endpoint');
const { createHmac } = await import('node:crypto');
const at = String(Math.floor(Date.now() / 1000));
const mac = createHmac('sha256', 'a secret of the endpoint').update('msg_1.' + at + '.' + body);
const headers = {
  'webhook-id': 'msg_1',
  'webhook-timestamp': at,
  'webhook-signature': 'v1,' + btoa('of another key') + ' v1,' + mac.digest('base64'),
};
const genuine = await isGenuine(headers, new TextEncoder().encode(body), secret);
const forged = await isGenuine(headers, new TextEncoder().encode(body + ' '), secret);

const stream = 'id: 7\\nevent: wallet\\ndata: {"balance":5}\\n\\n: still here\\n\\n' +
  'event: reset\\ndata:\\n\\n';
globalThis.fetch = async () => new Response(stream);
const seen = [];
for await (const event of events('consumer/events')) seen.push(event);

console.log(JSON.stringify({
  role: me.role, worth: [worth, show(123456, 'HUF'), show(1250, 'IQD')],
  points: history.map((entry) => entry.points), redemptionCode, said,
  found: found.status, discount: discount.points, genuine, forged, seen,
}));`;

/** What runs after somebody has signed in. The test has settings of its own. */
const RUN = [
  'sign-in',
  'finish',
  'calls',
  'money',
  'paging',
  'repeating',
  'errors',
  'till',
  'streams',
  'webhooks',
];

const Begun = z.object({ url: z.url(), stored: z.record(z.string(), z.string()) });

describe('the page on building an app', () => {
  it('has code that signs in, pages, redeems, reads errors, and completes at a till', async () => {
    const operatorToken = await aShop();
    const start = [settings(), browserWith({}, redirectUri), sample('sign-in'), sample('begin')];
    const { url, stored } = Begun.parse(await run(start));

    const browser = new Browser(provider.issuer);
    const person = new URLSearchParams({ person: 'consumer' });
    const returnedTo = await browser.follow(await browser.follow(url), person);
    expect(returnedTo.startsWith(`${redirectUri}?`)).toBe(true);

    const said = await run([
      settings(),
      browserWith(stored, returnedTo),
      `const operatorToken = ${JSON.stringify(operatorToken)};`,
      ...RUN.map(sample),
      END,
    ]);
    expect(said).toMatchObject({
      role: 'consumer',
      worth: ['€12.50', 'HUF\u00a01,234.56', 'IQD\u00a01.250'],
      points: [30_000, 20_000, 10_000],
      redemptionCode: expect.stringMatching(/^[0-9A-F]{12}$/),
      said: 'You have 59950 points.',
      found: 'issued',
      discount: 50,
      genuine: true,
      forged: false,
      seen: [{ id: '7', event: 'wallet', data: { balance: 5 } }, { event: 'reset' }],
    });
  });

  it('shows no other code', () => {
    expect([...samples.keys()].sort()).toEqual([...RUN, 'begin', 'settings'].sort());
    expect(page.match(/<pre>/g)).toHaveLength(samples.size);
  });
});
