import { createHmac, randomUUID } from 'node:crypto';
import { connect as connectSocket } from 'node:net';
import { anAlphaEvent, required } from '../support/factories.ts';
import { SIGNATURE_KEY } from '../support/processes.ts';
import {
  connectedShop,
  everyFault,
  runCron,
  type Shop,
} from '../support/providers/chaotic-shop.ts';
import { tokenNeedles } from './needles.ts';
import { aMember, aVisitor, type Stage, type Visitor } from './stage.ts';

// What happens in a busy run. Each scene adds what must not be found to the needles of the stage.

const FAULTS = 0.2;
const AMOUNT = 5_000;

export type Town = {
  shop: Shop;
  merchant: string;
  operator: string;
  admin: string;
  consumers: Visitor[];
};

/** Connects a shop to both providers; consumers sign in, and buy there under faults. */
export async function tradeUnderFaults(stage: Stage, count: number): Promise<Town> {
  const { database, issuer, processes, providers } = stage;
  const shop = await connectedShop({ db: database.db, api: processes.apiUrl, issuer }, providers);
  stage.needles.push(...tokenNeedles('access token', shop.token));
  const people = await Promise.all(Array.from({ length: count * 2 }, () => aVisitor(stage)));
  const [consumers, strangers] = [people.slice(0, count), people.slice(count)];
  for (const { token } of consumers) await stage.ask({ path: '/api/v1/auth/me', token });

  providers.alpha.setChaos(everyFault(FAULTS));
  providers.beta.setChaos(everyFault(FAULTS));
  for (const [nth, person] of [...consumers, ...strangers].entries())
    sellTo(stage, shop, person, nth);
  await runCron(processes);
  await Promise.all([providers.alpha.idle(), providers.beta.idle()]);
  providers.alpha.setChaos({});
  providers.beta.setChaos({});

  const merchant = shop.token;
  const operator = await aMember(stage, { role: 'pos_operator', member: shop.tenantId });
  const admin = await aMember(stage, { role: 'admin' });
  return { shop, merchant, operator, admin, consumers };
}

/** Sales of every kind: by e-mail, by phone, by a customer who is known late, refunded, voided. */
function sellTo({ providers }: Stage, shop: Shop, person: Visitor, nth: number): void {
  const { alpha, beta } = providers;
  const { email, phone } = person;
  const atAlpha = { merchantId: shop.alphaMerchantId, amount: AMOUNT };
  const atBeta = { merchantId: shop.betaMerchantId, amount: AMOUNT };
  const known = alpha.addCustomer({ merchantId: shop.alphaMerchantId, email, phone }).id;
  const byPhone = alpha.addCustomer({ merchantId: shop.alphaMerchantId, phone }).id;
  const customerId = beta.addCustomer({
    merchantId: shop.betaMerchantId,
    emails: [email],
    phones: [phone],
  }).id;
  alpha.ring({ ...atAlpha, customerId: known, capture: 'at-once' });
  alpha.ring({ ...atAlpha, customerId: byPhone, capture: 'at-once' });
  alpha.ring({ ...atAlpha, buyerEmail: email, capture: 'at-once' });
  const late = alpha.ring({ ...atAlpha, capture: 'at-once' });
  alpha.attachCustomer(late.id, known);
  beta.ring({ ...atBeta, customerId });
  const order = beta.ring(atBeta);
  beta.attachCustomer(required(order.orderId), customerId);
  if (nth % 3 === 0) alpha.refund(late.id, AMOUNT / 2);
  if (nth % 3 === 1) beta.voidPayment(order.id);
}

/** Waits until everything that the providers reported is decided. */
export async function settle({ database: { db }, processes }: Stage): Promise<number> {
  await db('pending_events').update({ nextAttemptAt: db.fn.now() });
  await runCron(processes);
  const [row] = await db('pending_events').count<{ count: number }[]>('* as count');
  return Number(row?.count);
}

/** Redeems points of a consumer, and remembers the code. */
export async function redeem(stage: Stage, person: Visitor, points = 50): Promise<string> {
  const { token, email } = person;
  const wallets = await stage.ask({ path: '/api/v1/consumer/wallets', token });
  const [wallet] = wallets.json<{ id: string }[]>();
  const path = `/api/v1/consumer/wallets/${required(wallet).id}/redeem/confirm`;
  const headers = { 'idempotency-key': randomUUID() };
  const confirm = (pointsToRedeem: number) =>
    stage.ask({ method: 'POST', path, token, headers, body: { pointsToRedeem } });
  const first = (await confirm(points)).json<{ redemptionCode: string }>().redemptionCode;
  await confirm(points);
  stage.needles.push({ kind: 'redemption code', value: first });
  stage.codesOf.set(email, [...(stage.codesOf.get(email) ?? []), first]);
  await stage.ask({ method: 'POST', path, token, body: { pointsToRedeem: 10 ** 9 } });
  return first;
}

/** Everything that goes wrong at a till: a used code, unknown ones, codes in the wrong place. */
export async function workTheTill(stage: Stage, { operator: token }: Town, code: string) {
  const post = (what: string, body: unknown, headers = {}) =>
    stage.ask({ method: 'POST', path: `/api/v1/pos/redemptions/${what}`, token, body, headers });
  await post('lookup', { code });
  await post('complete', { code }, { 'idempotency-key': `complete-${code}` });
  await post('complete', { code });
  await post('lookup', { code: code.toLowerCase() });
  for (const wrong of ['0123456789AB', `${code}0`, `${code} `, { code }, code.repeat(9)]) {
    await post('lookup', { code: wrong });
    await post('complete', { code: wrong });
  }
  await post('lookup', `{"code":"${code}`);
  // The answer names the unknown field to its sender.
  const path = '/api/v1/pos/redemptions/lookup';
  await stage.ask({ method: 'POST', path, token, body: { [code]: code } }, [code]);
  await stage.ask({ path: `/api/v1/pos/redemptions/${code}`, token });
  await stage.ask({ path: `/api/v1/pos/context?code=${code}`, token });
}

/** Invites: of somebody new, of somebody known, and to addresses that cannot be. */
export async function invite(stage: Stage, { merchant, shop, consumers }: Town): Promise<Visitor> {
  const path = `/api/v1/client/tenants/${shop.tenantId}/store-operator-invites`;
  const send = (email: unknown) =>
    stage.ask({ method: 'POST', path, token: merchant, body: { email } });
  const newcomer = await aVisitor(stage);
  const known = required(consumers[0]);
  await send(newcomer.email);
  const { inviteId } = (await send(known.email)).json<{ inviteId: string }>();
  await send(`${newcomer.email},${known.email}`);
  await send([newcomer.email]);
  await stage.ask({
    method: 'POST',
    path: `/api/v1/auth/invites/${inviteId}/accept`,
    token: known.token,
  });
  await stage.ask({ path: '/api/v1/auth/me', token: newcomer.token });
  return newcomer;
}

/** Requests that no client should send, with what they hold in every place. */
export async function misuse(stage: Stage, { admin, consumers, merchant, shop }: Town) {
  const { token, email, phone } = required(consumers[1]);
  const forged = `${token.slice(0, -4)}AAAA`;
  const expired = await stage.issuer.token({ sub: randomUUID(), email, exp: 1_000_000_000 });
  const foreign = await stage.issuer.token({ sub: randomUUID(), email, aud: 'another' });
  for (const jwt of [forged, expired, foreign])
    stage.needles.push(...tokenNeedles('bad token', jwt));
  const path = '/api/v1/auth/me';
  for (const bad of [forged, expired, foreign, email]) await stage.ask({ path, token: bad });
  const basic = Buffer.from(`${email}:${token}`).toString('base64');
  await stage.ask({ path, headers: { authorization: `Basic ${basic}` } });
  await stage.ask({ path: `${path}?access_token=${token}` });
  await stage.ask({ path: `/api/v1/people/${encodeURIComponent(email)}/${token}` });
  await stage.ask({ path: `/api/v1/admin/users/search?q=${encodeURIComponent(email)}`, token });
  await stage.ask({
    path: `/api/v1/admin/users/search?q=${encodeURIComponent(phone)}`,
    token: admin,
  });
  await stage.ask({
    path: `/api/v1/admin/audit-logs?actor=${encodeURIComponent(email)}`,
    token: admin,
  });
  const onboarding = `/api/v1/client/tenants/${shop.tenantId}/onboarding`;
  for (const body of [
    { [email]: phone },
    { country: email },
    { currency: phone },
    `{"x":"${email}`,
  ]) {
    await stage.ask({ method: 'PATCH', path: onboarding, token: merchant, body }, [email]);
  }
  await malformed(stage, `GET /api/v1/auth/me?t=${token} HTTP/9.9\r\nX-Person: ${email}\r\n\r\n`);
  await malformed(stage, `GET / HTTP/1.1\r\nHost: x\r\n${email} ${token}\r\n\r\n`);
}

async function malformed({ processes }: Stage, text: string): Promise<void> {
  const { hostname, port } = new URL(processes.apiUrl);
  const socket = connectSocket(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.end(text);
  socket.resume();
  await new Promise((resolve) => socket.on('close', resolve));
}

/** Webhooks that are not authentic, and authentic ones that nobody can read. */
export async function brokenWebhooks(stage: Stage, { shop, consumers }: Town): Promise<void> {
  const { email, phone } = required(consumers[2]);
  const alphaPath = '/api/v1/webhooks/alpha';
  const sign = (body: string | Buffer) =>
    createHmac('sha256', SIGNATURE_KEY)
      .update(`${stage.processes.apiUrl}${alphaPath}`)
      .update(body)
      .digest('base64');
  const event = anAlphaEvent(shop.alphaMerchantId, { email }).toString();
  const bodies = [
    `{"merchant_id":"${email}"`,
    `["${email}","${phone}"]`,
    event.replace(/"amount":\d+/, `"amount":"${phone}"`),
    event.replace(/"created_at":"[^"]*"/g, `"created_at":"${email}"`),
    event.replaceAll(email, `${email}\\u0000`),
    event.replace(/"type":"payment.updated"/, `"type":"${email}"`),
    event.replace(/"currency":"EUR"/g, `"currency":"${email}"`),
  ];
  for (const body of bodies) {
    const signed = { 'x-alpha-hmacsha256-signature': sign(body) };
    await stage.ask({ method: 'POST', path: alphaPath, headers: signed, body });
    const unsigned = { 'x-alpha-hmacsha256-signature': SIGNATURE_KEY };
    await stage.ask({ method: 'POST', path: alphaPath, headers: unsigned, body });
  }
  const secret = stage.processes.env.BETA_WEBHOOK_SECRET ?? '';
  for (const given of [secret, `${secret}!`]) {
    const updates = [{ objectId: `P:${email}`, type: 'UPDATE', ts: 1 }];
    for (const body of [{ merchants: { [shop.betaMerchantId]: updates } }, { merchants: email }]) {
      const headers = { 'x-beta-auth': given };
      await stage.ask({ method: 'POST', path: '/api/v1/webhooks/beta', headers, body });
    }
  }
}

/** Connects alpha again by hand, and tries what is left of it: the code, the state. */
export async function reconnect(stage: Stage, { shop, merchant }: Town): Promise<void> {
  const path = `/api/v1/client/tenants/${shop.tenantId}/pos-connections/alpha/connect`;
  const begin = await stage.ask({ method: 'POST', path, token: merchant, body: {} });
  const { authorizationUrl } = begin.json<{ authorizationUrl: string }>();
  stage.providers.alpha.setConsent('approve', shop.alphaMerchantId);
  const consent = await fetch(authorizationUrl, { redirect: 'manual' });
  stage.providers.alpha.setConsent('page');
  const callback = new URL(consent.headers.get('location') ?? '');
  for (const name of ['code', 'state']) {
    stage.needles.push({ kind: `OAuth ${name}`, value: callback.searchParams.get(name) ?? '' });
  }
  const at = `${callback.pathname}${callback.search}`;
  for (let times = 0; times < 2; times++) await stage.ask({ path: at });
  await stage.ask({ path: at.replace('state=', 'state=x') });
  await stage.ask({ path: at.replace('/alpha/', '/beta/') });
}

/** What a merchant and an administrator are shown of others, which must be masked or counted. */
export async function look(stage: Stage, { merchant, admin, shop }: Town): Promise<void> {
  const tenant = `/client/tenants/${shop.tenantId}`;
  const paths = [tenant, `${tenant}/consumers`, `${tenant}/transactions`].map((path) => ({
    path: `/api/v1${path}`,
    token: merchant,
  }));
  for (const call of [...paths, { path: `/api/v1/admin/tenants`, token: admin }]) {
    const { body } = await stage.ask(call);
    // Who published the rule is a colleague.
    const mayHold = [Object(body).activeRule?.createdBy?.email ?? ''];
    stage.answers.push({ name: `answer to ${call.path}`, text: JSON.stringify(body), mayHold });
  }
}
