import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { z } from 'zod';
import { PROVIDERS } from '../domain/payment.ts';
import { callApi } from './api-call.ts';
import { type Html, html, sendPage } from './html.ts';
import { obtainToken } from './identity/sign-in.ts';
import { addInvitePages } from './invite-pages.ts';
import { listenOnLoopback } from './processes/listen.ts';
import { answerCommands } from './providers/shared/control.ts';

export type MerchantPage = { readonly url: string; stop(): Promise<void> };

const Connections = z.array(
  z.object({
    id: z.string(),
    posType: z.string(),
    status: z.string(),
    accountName: z.string().nullish(),
    lastError: z.string().nullish(),
    lastPolledAt: z.string().nullish(),
    tokenExpiresAt: z.string().nullish(),
  }),
);

/**
 * Starts the merchant page on 127.0.0.1: the frontend to which the service redirects merchants. It
 * connects and disconnects providers over the API, signed in as the sandbox's merchant. Invited
 * people have a page of their own, on which they sign in themselves.
 */
export async function startMerchantPage(at: {
  port: number;
  api: string;
  issuer: string;
}): Promise<MerchantPage> {
  const listener = await listenOnLoopback(at.port);
  const asMerchant = async () => ({
    api: at.api,
    token: await obtainToken({ issuer: at.issuer, person: 'merchant' }),
  });

  const router = new Router();
  router.get('/', (ctx) => ctx.redirect('/pos'));
  router.get('/pos', async (ctx) => showConnections(ctx, await asMerchant()));
  for (const provider of PROVIDERS) {
    router.post(`/connect/${provider}`, async (ctx) => {
      const merchant = await asMerchant();
      const path = `${await connectionsPath(merchant)}/${provider}/connect`;
      const answer = await callApi(merchant, 'POST', path, {});
      ctx.status = 303;
      ctx.redirect(z.object({ authorizationUrl: z.url() }).parse(answer).authorizationUrl);
    });
  }
  router.post('/disconnect/:id', async (ctx) => {
    const merchant = await asMerchant();
    await callApi(merchant, 'DELETE', `${await connectionsPath(merchant)}/${ctx.params.id}`);
    ctx.status = 303;
    ctx.redirect('/pos');
  });
  addInvitePages(router, { api: at.api, issuer: at.issuer, url: listener.url });

  const app = new Koa();
  app.use(answerCommands);
  app.use(router.routes());
  listener.answerWith(app.callback());
  return { url: listener.url, stop: () => listener.stop() };
}

type Merchant = Awaited<Parameters<typeof callApi>[0]>;

async function connectionsPath(merchant: Merchant): Promise<string> {
  const profile = await callApi(merchant, 'GET', '/auth/me');
  const [tenantId] = z.object({ tenantIds: z.array(z.uuid()).min(1) }).parse(profile).tenantIds;
  return `/client/tenants/${tenantId}/pos-connections`;
}

async function showConnections(ctx: Context, merchant: Merchant): Promise<void> {
  const answer = await callApi(merchant, 'GET', await connectionsPath(merchant));
  const { connected, provider, error } = ctx.query;
  const notice =
    connected === 'true'
      ? html`<p><strong>${String(provider)} is connected.</strong></p>`
      : typeof error === 'string'
        ? html`<p><strong>The provider was not connected: ${error}.</strong></p>`
        : html``;
  sendPage(
    ctx,
    'Merchant page',
    html`${notice}
<table><tr><th>Provider</th><th>Account</th><th>Status</th><th>Last polled</th>
<th>Last error</th><th></th></tr>
${Connections.parse(answer).map(connectionRow)}</table>
${PROVIDERS.map(
  (name) =>
    html`<form method="post" action="/connect/${name}"><button>Connect ${name}</button></form>`,
)}
<p>You are signed in as Mary Somerville, the merchant. This page calls the API.</p>`,
  );
}

function connectionRow(connection: z.infer<typeof Connections>[number]): Html {
  const { id, posType, accountName, status, lastPolledAt, lastError } = connection;
  const button =
    status === 'active'
      ? html`<form method="post" action="/disconnect/${id}"><button>Disconnect</button></form>`
      : html``;
  return html`<tr><td>${posType}</td><td>${accountName ?? ''}</td><td>${status}</td>
<td>${lastPolledAt ?? ''}</td>
<td>${lastError ?? ''}</td><td>${button}</td></tr>`;
}
