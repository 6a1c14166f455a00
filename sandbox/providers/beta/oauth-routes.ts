import { setTimeout as sleep } from 'node:timers/promises';
import Router from '@koa/router';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { z } from 'zod';
import { html, sendPage } from '../../html.ts';
import { CommandRefused } from '../shared/refusal.ts';
import { addMerchant } from './accounts.ts';
import { type OAuth, v2Fields } from './oauth.ts';
import type { World } from './world.ts';

const TOKEN_PATHS = ['/oauth/token', '/oauth/v2/token', '/oauth/v2/refresh'];

const Exchange = z
  .object({ client_id: z.string(), client_secret: z.string(), code: z.string() })
  .partial();
const Refresh = z.object({ client_id: z.string(), refresh_token: z.string() }).partial();

/** Whether the path is called by an app, not by a browser. */
export function isTokenPath(path: string): boolean {
  return TOKEN_PATHS.includes(path);
}

/** The routes for consent and tokens, in the legacy flow and in the newer one. */
export function createOAuthRoutes(world: World, oauth: OAuth): Router {
  const router = new Router({ prefix: '/oauth' });
  const json = bodyParser({ enableTypes: ['json'] });
  const form = bodyParser({ enableTypes: ['form'] });

  router.get(['/authorize', '/v2/authorize'], (ctx) => authorize(ctx, world, oauth));
  router.post('/consent', form, (ctx) => {
    const { merchantId, state = null, answer, open: name } = ConsentForm.parse(ctx.request.body);
    if (answer === 'deny') return redirect(ctx, oauth.deniedUrl(state));
    const approving = name === undefined ? merchantId : addMerchant(world, { name }).id;
    redirect(ctx, oauth.approvedUrl(approving, state));
  });

  const legacy = (given: z.output<typeof Exchange>) => {
    const isV2 = oauth.tokenAnswers === 'v2';
    const token = oauth.exchange(given, isV2);
    return isV2 ? v2Fields(token) : { access_token: token.accessToken };
  };
  router.get('/token', (ctx) => {
    ctx.body = legacy(Exchange.parse(Object.fromEntries(new URLSearchParams(ctx.querystring))));
  });
  router.post('/token', json, (ctx) => {
    ctx.body = legacy(Exchange.catch({}).parse(ctx.request.body));
  });
  router.post('/v2/token', json, (ctx) => {
    const refreshable = ctx.query.no_refresh_token !== 'true';
    ctx.body = v2Fields(oauth.exchange(Exchange.catch({}).parse(ctx.request.body), refreshable));
  });
  router.post('/v2/refresh', json, (ctx) => {
    ctx.body = v2Fields(oauth.refresh(Refresh.catch({}).parse(ctx.request.body)));
  });
  return router;
}

const ConsentForm = z.object({
  merchantId: z.string().default(''),
  /** The name of a merchant who has no account yet, and opens one. */
  open: z.string().trim().min(1).max(120).optional(),
  state: z.string().optional(),
  answer: z.enum(['approve', 'deny']),
});

async function authorize(ctx: Context, world: World, oauth: OAuth): Promise<void> {
  const query = new URLSearchParams(ctx.querystring);
  const refusal = oauth.refusalOf(query);
  if (refusal !== undefined) {
    ctx.status = 400;
    sendPage(ctx, 'Provider beta refuses this request', html`<p>${refusal}</p>`);
    return;
  }
  const { mode, merchantId } = oauth.consent;
  const state = query.get('state');
  if (mode === 'page') return showConsent(ctx, world, query);
  if (mode === 'deny') return redirect(ctx, oauth.deniedUrl(state));
  if (mode !== 'approve') await sleep(mode.slowMs, undefined, { ref: false });
  const [first] = world.store.merchants.keys();
  const consenting = query.get('merchant_id') ?? merchantId ?? first;
  if (consenting === undefined)
    throw new CommandRefused('There is no merchant yet: add one first.');
  redirect(ctx, oauth.approvedUrl(consenting, state));
}

function showConsent(ctx: Context, world: World, query: URLSearchParams): void {
  const only = query.get('merchant_id');
  const merchants = [...world.store.merchants.values()].filter(
    ({ id }) => only === null || id === only,
  );
  const state = query.get('state');
  const stateField =
    state === null ? html`` : html`<input type="hidden" name="state" value="${state}">`;
  const forms = merchants.map(
    ({ id, name }) => html`<form method="post" action="/oauth/consent">${stateField}
<input type="hidden" name="merchantId" value="${id}">
<p>${name} (${id})</p>
<button class="primary" name="answer" value="approve">Approve</button>
<button name="answer" value="deny">Deny</button></form>`,
  );
  sendPage(
    ctx,
    'Simulated provider beta',
    html`<p>The app ${query.get('client_id') ?? undefined} wants to read merchant, payments, orders
and customers. Choose the account to connect:</p>
${forms}
<form method="post" action="/oauth/consent">${stateField}
<label>Or open an account for <input name="open" required maxlength="120" placeholder="Corner Café">
</label>
<button name="answer" value="approve">Open it, and allow</button></form>`,
  );
}

function redirect(ctx: Context, url: string): void {
  ctx.status = 302;
  ctx.set('Cache-Control', 'no-store');
  ctx.redirect(url);
}
