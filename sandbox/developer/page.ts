import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { z } from 'zod';
import { RedemptionId } from '../../domain/ids.ts';
import { PROVIDERS } from '../../domain/payment.ts';
import { AUDIENCE } from '../environment.ts';
import { facts, type Html, html, sendPage, table } from '../html.ts';
import { CLIENT_ID } from '../identity/sign-in.ts';
import { listenOnLoopback } from '../processes/listen.ts';
import { answerCommands } from '../providers/shared/control.ts';
import { select } from '../providers/shared/page-forms.ts';
import { letCodesRunOut, listOpenCodes, type OpenCode } from './codes.ts';
import { PastSalesRequest, ringPastSales } from './past-sales.ts';
import type { Place } from './place.ts';
import { createReceiver } from './receiver.ts';
import { addReceiverPages } from './receiver-pages.ts';
import { addSalePage, salePath } from './sale-page.ts';
import { ringSale, SaleRequest } from './sales.ts';
import { addTestSales } from './test-sale.ts';
import { addTimeMachine } from './time-machine-pages.ts';

export type DeveloperPage = { readonly url: string; stop(): Promise<void> };

/**
 * Starts the page for those who build an app on the service, on 127.0.0.1: what their app needs to
 * know, sales, codes that run out at once, the time machine, and a receiver of webhooks. Programs
 * that ask for JSON get it.
 */
export async function startDeveloperPage(
  options: Place & { port: number; receiverFile: string },
): Promise<DeveloperPage> {
  const listener = await listenOnLoopback(options.port);
  const { url } = listener;
  const router = new Router();
  const body = bodyParser({ enableTypes: ['form', 'json'] });
  router.get('/', (ctx) => showPage(ctx, options));
  router.post('/sales', body, (ctx) => answerSale(ctx, options));
  router.post('/past-sales', body, async (ctx) => {
    ctx.body = await ringPastSales(options, PastSalesRequest.parse(filledIn(ctx.request.body)));
  });
  router.post('/codes/expire', body, (ctx) => answerExpiry(ctx, options));
  const receiver = createReceiver(options.receiverFile);
  addReceiverPages(router, { place: options, receiver, url });
  addSalePage(router, options);
  addTestSales(router, options);
  addTimeMachine(router, options);

  const app = new Koa();
  app.use(answerCommands);
  app.use(router.routes());
  listener.answerWith(app.callback());
  return { url, stop: listener.stop };
}

async function answerSale(ctx: Context, place: Place): Promise<void> {
  const report = await ringSale(place, SaleRequest.parse(filledIn(ctx.request.body)));
  if (ctx.accepts('html', 'json') === 'json') ctx.body = report;
  else redirectTo(ctx, salePath(report.provider, report.paymentId));
}

async function answerExpiry(ctx: Context, place: Place): Promise<void> {
  const { id } = z.object({ id: RedemptionId.optional() }).parse(filledIn(ctx.request.body));
  const expired = await letCodesRunOut(place, id);
  if (ctx.accepts('html', 'json') === 'json') {
    ctx.body = { expired };
    return;
  }
  redirectTo(ctx, '/');
}

function redirectTo(ctx: Context, path: string): void {
  ctx.status = 303;
  ctx.redirect(path);
}

/** Returns the fields that were filled in: a form sends the others as empty texts. */
function filledIn(body: unknown): Record<string, string> {
  const fields = z.record(z.string(), z.string()).parse(body ?? {});
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ''));
}

async function showPage(ctx: Context, place: Place): Promise<void> {
  sendPage(
    ctx,
    'Developer tools',
    html`<p><strong><a href="${place.api}/docs/build-an-app">Build an app</a></strong> shows how,
with code that runs as it stands: sign in, read wallets, redeem, take codes, follow events. A client
for it is built by <code>npm run sdk</code>.</p>
<ul>
<li><a href="/time-machine">Time machine</a>: each webhook on its way to the ledger, live</li>
<li>Tills with sales of every kind, refunds, and a chaos dial:${tillsOf(place)}</li>
<li><a href="${place.mail}/">Mails</a> that the service has sent</li>
<li><a href="/webhooks">Webhook receiver</a>: shows what the service sends, and verifies it</li>
<li><a href="${place.api}/docs">API reference</a></li>
</ul>
${saleForm(place)}
${codesOf(await listOpenCodes(place.db))}
<h2>What an app needs to know</h2>
${facts(factsOf(place))}
<p>People sign in at <a href="${place.issuer}/sign-in">${place.issuer}</a>, where others can be
added. <code>npm run token -- consumer</code> prints an access token.</p>`,
  );
}

function tillsOf({ simulators }: Place): Html[] {
  return PROVIDERS.map((name) => html` <a href="${simulators[name].url}/">${name}</a>`);
}

function factsOf({ api, issuer }: Place): [string, string][] {
  return [
    ['API', `${api}/api/v1`],
    ['OpenAPI document', `${api}/api/v1/openapi.json`],
    ['Issuer', issuer],
    ['Client id', `${CLIENT_ID} (public: authorization code with PKCE, no secret)`],
    ['Scopes', 'openid profile email phone offline_access'],
    ['Redirect addresses', 'any of http://localhost or http://127.0.0.1, after the sign-out too'],
    ['Refresh tokens', 'for offline_access; each can be used once, and gives the next one'],
    ['Audience', AUDIENCE],
    ['CORS', 'pages of http://localhost and http://127.0.0.1 may call the API, at any port'],
  ];
}

function saleForm({ people }: Place): Html {
  const options = people
    .list()
    .map(({ key, person }) => html`<option value="${key}">${person.name}</option>`);
  return html`<h2>Ring a sale</h2>
<p>As <code>npm run sale -- --for ada --amount 12.50</code> does: the simulated provider sends its
webhook, and you see what came of it.</p>
<form method="post" action="/sales">
<label>For <select name="for">${options}<option value="">somebody unknown</option></select></label>
<label>Amount <input name="amount" value="12.50" inputmode="decimal" required></label>
<label>At ${select('provider', PROVIDERS)}</label>
<label>Currency <input name="currency" pattern="[A-Za-z]{3}" placeholder="the shop's"></label>
<button class="primary">Ring sale</button></form>`;
}

const CODE_TITLES = ['Owner', 'Shop', 'Points', 'Until', 'Change it'];

function codesOf(codes: readonly OpenCode[]): Html {
  const rows = codes.map(({ id, owner, shop, points, expiresAt }) => [
    owner,
    shop,
    points,
    expiresAt.toISOString(),
    html`<form method="post" action="/codes/expire"><input type="hidden" name="id" value="${id}">
<button aria-label="Let the code of ${owner} run out">Let it run out</button></form>`,
  ]);
  const all = html`<form method="post" action="/codes/expire"><button>Let all run out now</button>
</form>`;
  return html`<h2>Codes that can be used</h2>
<p>Only their time is moved, as <code>npm run expire-codes</code> does; the service expires them,
returns their points (but for <code>EXPIRED_CODES=forfeit</code>) and mails their owners.</p>
${codes.length === 0 ? html`<p>There is none now.</p>` : table(CODE_TITLES, rows)}
${codes.length === 0 ? undefined : all}`;
}
