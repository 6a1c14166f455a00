import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { z } from 'zod';
import { RedemptionId } from '../../domain/ids.ts';
import { PROVIDERS } from '../../domain/payment.ts';
import { AUDIENCE } from '../environment.ts';
import { type Html, html, sendPage } from '../html.ts';
import { CLIENT_ID } from '../identity/sign-in.ts';
import { listenOnLoopback } from '../processes/listen.ts';
import { answerCommands } from '../providers/shared/control.ts';
import { select } from '../providers/shared/page-forms.ts';
import { letCodesRunOut, listOpenCodes, type OpenCode } from './codes.ts';
import type { Place } from './place.ts';
import { createReceiver } from './receiver.ts';
import { addReceiverPages } from './receiver-pages.ts';
import { ringSale, type SaleReport, SaleRequest } from './sales.ts';

export type DeveloperPage = { readonly url: string; stop(): Promise<void> };

/**
 * Starts the page for those who build an app on the service, on 127.0.0.1: what their app needs to
 * know, sales, codes that run out at once, and a receiver of webhooks. Programs that ask for JSON
 * get it.
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
  router.post('/codes/expire', body, (ctx) => answerExpiry(ctx, options));
  const receiver = createReceiver(options.receiverFile);
  addReceiverPages(router, { place: options, receiver, url });

  const app = new Koa();
  app.use(answerCommands);
  app.use(router.routes());
  listener.answerWith(app.callback());
  return { url, stop: listener.stop };
}

async function answerSale(ctx: Context, place: Place): Promise<void> {
  const report = await ringSale(place, SaleRequest.parse(filledIn(ctx.request.body)));
  if (ctx.accepts('html', 'json') === 'json') ctx.body = report;
  else sendPage(ctx, report.sale, reportOf(report));
}

async function answerExpiry(ctx: Context, place: Place): Promise<void> {
  const { id } = z.object({ id: RedemptionId.optional() }).parse(filledIn(ctx.request.body));
  const expired = await letCodesRunOut(place, id);
  if (ctx.accepts('html', 'json') === 'json') {
    ctx.body = { expired };
    return;
  }
  ctx.status = 303;
  ctx.redirect('/');
}

/** Returns the fields that were filled in: a form sends the others as empty texts. */
function filledIn(body: unknown): Record<string, string> {
  const fields = z.record(z.string(), z.string()).parse(body ?? {});
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ''));
}

async function showPage(ctx: Context, place: Place): Promise<void> {
  const facts = [
    ['API', `${place.api}/api/v1`],
    ['OpenAPI document', `${place.api}/api/v1/openapi.json`],
    ['Issuer', place.issuer],
    ['Client id', `${CLIENT_ID} (public: authorization code with PKCE, no secret)`],
    ['Scopes', 'openid profile email phone offline_access'],
    ['Redirect addresses', 'any of http://localhost or http://127.0.0.1, after the sign-out too'],
    ['Refresh tokens', 'for offline_access; each can be used once, and gives the next one'],
    ['Audience', AUDIENCE],
    ['CORS', 'pages of http://localhost and http://127.0.0.1 may call the API, at any port'],
  ];
  sendPage(
    ctx,
    'Build an app',
    html`<h2>What an app needs to know</h2>
<table>${facts.map(([name, value]) => html`<tr><th>${name}</th><td>${value}</td></tr>`)}</table>
<p>People sign in at <a href="${place.issuer}/sign-in">${place.issuer}</a>, where others can be
added. <code>npm run token -- consumer</code> prints an access token.</p>
${saleForm(place)}
${codesOf(await listOpenCodes(place.db))}
<h2>Webhooks</h2>
<p><a href="/webhooks">The receiver</a> shows what the service sends, and verifies it.</p>`,
  );
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
<button>Ring sale</button></form>`;
}

function codesOf(codes: readonly OpenCode[]): Html {
  const rows = codes.map(
    ({ id, owner, shop, points, expiresAt }) => html`<tr><td>${owner}</td><td>${shop}</td>
<td>${points}</td><td>${expiresAt.toISOString()}</td>
<td><form method="post" action="/codes/expire"><input type="hidden" name="id" value="${id}">
<button>Let it run out</button></form></td></tr>`,
  );
  const all = html`<form method="post" action="/codes/expire"><button>Let all run out now</button>
</form>`;
  return html`<h2>Codes that can be used</h2>
<p>Only their time is moved, as <code>npm run expire-codes</code> does; the service expires them,
returns their points and mails their owners as usual.</p>
<table><tr><th>Owner</th><th>Shop</th><th>Points</th><th>Until</th><th></th></tr>${rows}</table>
${codes.length === 0 ? html`<p>There is none now.</p>` : all}`;
}

function reportOf({ summary, steps, balance, runUrl }: SaleReport): Html {
  const run = runUrl === null ? html`` : html`<p><a href="${runUrl}">Its run in Temporal</a></p>`;
  return html`<p><strong>${summary}</strong>
${balance === null ? '' : `The balance is ${balance} points now.`}</p>
<ul>${steps.map((step) => html`<li>${step}</li>`)}</ul>
${run}<p><a href="/">Developer page</a></p>`;
}
