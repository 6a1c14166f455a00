import { once } from 'node:events';
import type Router from '@koa/router';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import getRawBody from 'raw-body';
import { z } from 'zod';
import { html, sendPage, table } from '../html.ts';
import { select } from '../providers/shared/page-forms.ts';
import { callAsMerchant, type Place } from './place.ts';
import { BEHAVIOURS, type Delivery, type Receiver } from './receiver.ts';

const MAX_BODY_BYTES = 1024 * 1024;
type Shop = Pick<Place, 'api' | 'issuer' | 'tenant'>;

/** Where webhooks are received, below the developer page. */
const RECEIVE_PATH = '/webhooks/receive';

/** Adds the receiver of webhooks, and the page that shows what it has received. */
export function addReceiverPages(
  router: Router,
  { place, receiver, url }: { place: Shop; receiver: Receiver; url: string },
): void {
  const form = bodyParser({ enableTypes: ['form'] });
  const receiveUrl = `${url}${RECEIVE_PATH}`;
  router.get('/webhooks', (ctx) => showDeliveries(ctx, receiver, receiveUrl));
  router.post(RECEIVE_PATH, (ctx) => receive(ctx, receiver));

  router.post('/webhooks/behaviour', form, (ctx) => {
    const { behaviour } = z.object({ behaviour: z.enum(BEHAVIOURS) }).parse(ctx.request.body);
    receiver.behaviour = behaviour;
    back(ctx);
  });
  router.post('/webhooks/secrets', form, (ctx) => {
    const { secret } = z.object({ secret: z.string().trim() }).parse(ctx.request.body);
    return orSay(ctx, async () => receiver.trust(secret));
  });
  router.post('/webhooks/endpoint', (ctx) =>
    orSay(ctx, async () => {
      const answer = await callAsMerchant(place, 'POST', '/webhook-endpoints', { url: receiveUrl });
      const { id, secret } = z.object({ id: z.string(), secret: z.string() }).parse(answer);
      receiver.trust(secret, id);
    }),
  );
  router.post('/webhooks/test', (ctx) =>
    orSay(ctx, async () => {
      await callAsMerchant(place, 'POST', `/webhook-endpoints/${receiver.endpointId()}/test`, {});
    }),
  );
}

async function receive(ctx: Context, receiver: Receiver): Promise<void> {
  const body = await getRawBody(ctx.req, { limit: MAX_BODY_BYTES, encoding: 'utf8' });
  const { status } = receiver.receive({
    id: ctx.get('webhook-id'),
    timestamp: ctx.get('webhook-timestamp'),
    signature: ctx.get('webhook-signature'),
    body,
  });
  if (status === undefined) {
    ctx.respond = false;
    // Until the sender gives up, or the sandbox ends.
    await once(ctx.res, 'close');
    return;
  }
  ctx.status = status;
  ctx.body = { ok: status === 200 };
}

/** Does it and shows the page again, or says why it was not possible. */
async function orSay(ctx: Context, work: () => Promise<void>): Promise<void> {
  try {
    await work();
    back(ctx);
  } catch (error) {
    ctx.status = 400;
    const reason = error instanceof Error ? error.message : String(error);
    sendPage(ctx, 'Not done', html`<p>${reason}</p><p><a href="/webhooks">Back</a></p>`);
  }
}

function back(ctx: Context): void {
  ctx.status = 303;
  ctx.redirect('/webhooks');
}

function showDeliveries(ctx: Context, receiver: Receiver, receiveUrl: string): void {
  const secrets = receiver.secrets().map((secret) => html`<li><code>${secret}</code></li>`);
  const testForm = html`<form method="post" action="/webhooks/test">
<button>Send a test event to it</button></form>`;
  sendPage(
    ctx,
    'Webhook receiver',
    html`<p><a href="/">Developer tools</a> · <a href="/webhooks">Reload</a></p>
<p>It receives at <code>${receiveUrl}</code>, and verifies signatures with the library of the
Standard Webhooks specification.</p>
<form method="post" action="/webhooks/endpoint"><button>Create an endpoint for it</button></form>
${receiver.endpointId() === undefined ? html`` : testForm}
<form method="post" action="/webhooks/secrets"><label>A secret that it is to trust
<input name="secret" placeholder="whsec_…" size="50" required></label><button>Trust</button></form>
${secrets.length === 0 ? html`<p>It knows no secret yet.</p>` : html`<ul>${secrets}</ul>`}
<form method="post" action="/webhooks/behaviour">
<label>What it does with the next deliveries:
${select('behaviour', BEHAVIOURS, receiver.behaviour)}</label>
<button>Set</button></form>
<h2>The last hundred, newest first</h2>
${table(TITLES, receiver.deliveries().map(deliveryCells))}`,
  );
}

const TITLES = ['At', 'Type', 'Id', 'Attempt', 'Signature', 'Answer', 'Body'];

function deliveryCells({ at, type, id, attempt, check, answer, body }: Delivery) {
  const details = html`<details><summary>Show</summary><pre>${body}</pre></details>`;
  return [at, type, id, attempt, check, answer, details];
}
