import { setTimeout as sleep } from 'node:timers/promises';
import Router from '@koa/router';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { z } from 'zod';
import { html, sendPage } from '../../html.ts';
import { CommandRefused } from '../shared/refusal.ts';
import { addMerchant } from './accounts.ts';
import { hasConsented, issueCode } from './grants.ts';
import { merchantOf, merchantOrFirst, type World } from './world.ts';

/** The scopes of an app that requests none; they do not include customers. */
const LEGACY_SCOPES = [
  'MERCHANT_PROFILE_READ',
  'PAYMENTS_READ',
  'SETTLEMENTS_READ',
  'BANK_ACCOUNTS_READ',
];
/** Holds the merchant who is signed in to the provider in this browser. */
const SELLER_COOKIE = 'alpha_seller';

const Request = z.object({
  client_id: z.string(),
  scope: z.string().max(1000).optional(),
  state: z.string().max(4096).optional(),
  redirect_uri: z.string().optional(),
  session: z.enum(['true', 'false']).optional(),
  locale: z.string().optional(),
});
type Request = z.output<typeof Request>;
/** The merchant who has no account yet, and opens one by that name. */
const NEW = 'new';
const Decision = Request.extend({
  allow: z.string().optional(),
  open: z.string().trim().min(1).max(120).optional(),
});

/**
 * The authorization page, on which a merchant allows the app access or denies it.
 *
 * It redirects only to the registered URL. A browser in which a merchant has allowed access is not
 * asked again while the merchant's token is valid.
 */
export function createConsent(world: World): Router {
  const router = new Router({ prefix: '/oauth2/authorize' });
  router.use(async (ctx, next) => {
    await next();
    // The query is left out, because it contains the app's state.
    const { method, path: url, status } = ctx;
    world.journal.add({ kind: 'request', at: world.now().toISOString(), method, url, status });
  });

  router.get('/', async (ctx) => {
    const request = readRequest(world, ctx.query);
    const { mode, merchantId } = world.app.consent;
    if (mode === 'deny') return deny(world, ctx, request);
    if (mode === 'page') return askOrSkip(world, ctx, request);
    if (mode !== 'approve') await sleep(mode.slowMs, undefined, { ref: false });
    allow(world, ctx, request, merchantOrFirst(world, merchantId).id);
  });

  router.post('/', bodyParser({ enableTypes: ['form'] }), (ctx) => {
    const request = readRequest(world, ctx.request.body);
    const { allow: merchantId, open: name } = Decision.parse(ctx.request.body);
    if (merchantId === undefined) return deny(world, ctx, request);
    const isNew = merchantId === NEW && name !== undefined;
    const { id } = isNew ? addMerchant(world, { name }) : merchantOf(world, merchantId);
    ctx.cookies.set(SELLER_COOKIE, encodeURIComponent(id), { sameSite: 'lax', path: '/oauth2' });
    allow(world, ctx, request, id);
  });
  return router;
}

function readRequest(world: World, raw: unknown): Request {
  const request = Request.parse(raw);
  const { id, redirectUrl } = world.app;
  if (request.client_id !== id) throw new CommandRefused('There is no app with this client_id.');
  if (redirectUrl === undefined)
    throw new CommandRefused('The app has no redirect URL registered.');
  if (request.redirect_uri !== undefined && request.redirect_uri !== redirectUrl) {
    throw new CommandRefused('The redirect_uri is not the one registered.');
  }
  return request;
}

function askOrSkip(world: World, ctx: Context, request: Request): void {
  const seller = decodeURIComponent(ctx.cookies.get(SELLER_COOKIE) ?? '');
  const isKnown = world.store.merchants.has(seller) && request.session !== 'false';
  if (isKnown && hasConsented(world, seller, scopesOf(request))) {
    allow(world, ctx, request, seller);
    return;
  }
  const fields = Object.entries(request).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const merchants = [...world.store.merchants.values()].map(
    ({ id, name }) =>
      html`<li><button name="allow" value="${id}">Allow as ${name}</button> ${id}</li>`,
  );
  sendPage(
    ctx,
    'Provider alpha: allow the app?',
    html`<p>The app <b>${world.app.id}</b> asks for: ${scopesOf(request).join(', ')}.</p>
<p>On the real page the signed-in merchant decides. Here, choose who you are:</p>
<form method="post" action="/oauth2/authorize">${fields}
<ul class="people">${merchants}</ul>
<p><button name="deny" value="yes">Deny</button></p></form>
<form method="post" action="/oauth2/authorize">${fields}
<label>Or open an account for <input name="open" required maxlength="120" placeholder="Corner Café">
</label>
<button name="allow" value="${NEW}">Open it, and allow</button></form>`,
  );
}

function allow(world: World, ctx: Context, request: Request, merchantId: string): void {
  const consent = { merchantId, scopes: scopesOf(request), redirectUri: request.redirect_uri };
  const code = issueCode(world, consent);
  redirectBack(world, ctx, { code, response_type: 'code', state: request.state });
}

function deny(world: World, ctx: Context, { state }: Request): void {
  redirectBack(world, ctx, { error: 'access_denied', error_description: 'user_denied', state });
}

function redirectBack(world: World, ctx: Context, query: Record<string, string | undefined>): void {
  const url = new URL(world.app.redirectUrl ?? '');
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  ctx.set('Cache-Control', 'no-store');
  ctx.redirect(url.href);
  if (ctx.method === 'POST') ctx.status = 303;
}

function scopesOf({ scope }: Request): string[] {
  const named = (scope ?? '').split(/[\s+]+/).filter((name) => name !== '');
  return named.length === 0 ? LEGACY_SCOPES : named;
}
