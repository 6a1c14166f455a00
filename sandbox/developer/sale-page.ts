import { setTimeout as sleep } from 'node:timers/promises';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { getTrail, listByProviderId, type Trail } from '../../db/payments/trail.ts';
import type { PaymentId } from '../../domain/ids.ts';
import { PROVIDERS } from '../../domain/payment.ts';
import { money, pointsOf } from '../../domain/texts/wording.ts';
import { type Html, html, sendPage } from '../html.ts';
import { explained } from './explained.ts';
import type { Place } from './place.ts';
import { runUrlOf } from './runs.ts';

/** Most sales are ingested sooner; for the others the page is loaded again. */
const WAITED_MS = 3_000;
const POLL_MS = 100;
const AGAIN_AFTER_S = '2';

const Asked = z.object({ provider: z.enum(PROVIDERS), paymentId: z.string().min(1).max(192) });

type SalePlace = Pick<Place, 'db' | 'temporal' | 'simulators'>;

/** The path of the page that shows what a sale of a provider earned. */
export function salePath(provider: string, paymentId: string): string {
  return `/sales/${provider}/${encodeURIComponent(paymentId)}`;
}

/** Adds the page that says what the service made of a sale, why, and by which run. */
export function addSalePage(router: Router, place: SalePlace): void {
  router.get('/sales/:provider/:paymentId', (ctx) => showSale(ctx, place));
}

async function showSale(ctx: Context, place: SalePlace): Promise<void> {
  const { provider, paymentId } = Asked.parse(ctx.params);
  const { url } = place.simulators[provider];
  const till = html`<p><a href="${url}/">Back to the till of ${provider}</a> ·
<a href="/time-machine">Time machine</a></p>`;
  const id = await waitedFor(place, paymentId);
  if (id === undefined) {
    ctx.set('Refresh', AGAIN_AFTER_S);
    return sendPage(
      ctx,
      'Nothing has come of it yet',
      html`<p>The service has not taken in ${paymentId}. A sale earns points when it is paid, and
the time machine shows whether its webhook has arrived. This page loads itself again.</p>
${till}`,
    );
  }
  const trail = await getTrail(place.db, id);
  const { amountMinorUnits, currency } = trail.payment;
  const title = `${money(amountMinorUnits, { currency })} at ${provider}`;
  sendPage(ctx, title, html`${saleReport(place, trail)}${till}`);
}

async function waitedFor({ db }: SalePlace, paymentId: string): Promise<PaymentId | undefined> {
  for (const until = Date.now() + WAITED_MS; ; await sleep(POLL_MS)) {
    const [id] = await listByProviderId(db, paymentId);
    if (id !== undefined || Date.now() > until) return id;
  }
}

function saleReport(place: SalePlace, trail: Trail): Html {
  const { summary, steps } = explained(trail);
  const run = runUrlOf(place, trail.events[0]);
  const entries = trail.entries.map(
    ({ entryType, points, balanceAfter }) =>
      html`<li>${entryType === 'credit' ? '+' : '−'}${pointsOf(points)}; the balance was
${pointsOf(balanceAfter)} after it.</li>`,
  );
  return html`<p><strong>${summary}</strong></p>
<h2>Why</h2>
<ul>${steps.map((step) => html`<li>${step}</li>`)}</ul>
<h2>Ledger</h2>
${entries.length === 0 ? html`<p>There is no entry for it.</p>` : html`<ul>${entries}</ul>`}
${run === null ? undefined : html`<p><a href="${run}">Its run in Temporal</a></p>`}`;
}
