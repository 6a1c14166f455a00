import type Router from '@koa/router';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { z } from 'zod';
import { TenantId } from '../../domain/ids.ts';
import { PROVIDERS } from '../../domain/payment.ts';
import { html, sendPage } from '../html.ts';
import { minorUnitsOf } from '../providers/shared/amounts.ts';
import type { Place } from './place.ts';
import { salePath } from './sale-page.ts';

/** The path below which each shop has its page for test sales. */
export const TEST_SALES = '/test-sales';

type TestPlace = Pick<Place, 'db' | 'people' | 'simulators'>;

const Asked = z.object({ tenantId: TenantId });
const TestSale = z.object({ for: z.string(), amount: z.string() });

/** Adds the page on which a shop that somebody sets up rings a sale at its own account. */
export function addTestSales(router: Router, place: TestPlace): void {
  const path = `${TEST_SALES}/:tenantId`;
  router.get(path, (ctx) => showForm(ctx, place));
  router.post(path, bodyParser({ enableTypes: ['form'] }), (ctx) => ring(ctx, place));
}

async function showForm(ctx: Context, place: TestPlace): Promise<void> {
  const account = await accountOf(ctx, place);
  const options = place.people
    .list()
    .map(({ key, person }) => html`<option value="${key}">${person.name}</option>`);
  const form = html`<form method="post">
<label>For <select name="for">${options}<option value="">somebody unknown</option></select></label>
<label>Amount <input name="amount" value="12.50" inputmode="decimal" required></label>
<button class="primary">Ring sale</button></form>`;
  const missing = html`<p>No point of sale is connected. Connect one in the portal first.</p>`;
  sendPage(ctx, 'Ring a test sale', account === undefined ? missing : form);
}

async function ring(ctx: Context, place: TestPlace): Promise<void> {
  const account = await accountOf(ctx, place);
  if (account === undefined) return showForm(ctx, place);
  const { provider, merchantId } = account;
  const asked = TestSale.parse(ctx.request.body);
  const till = await place.simulators[provider].openTill(merchantId);
  const person = place.people.named(asked.for);
  const { currency } = till;
  const paymentId = till.ring({
    amount: minorUnitsOf(asked.amount, currency),
    currency,
    ...(person !== undefined && { customerId: till.customerOf(person) }),
  });
  ctx.status = 303;
  ctx.redirect(salePath(provider, paymentId));
}

const Account = z.object({ provider: z.enum(PROVIDERS), merchantId: z.string() }).optional();

async function accountOf(ctx: Context, { db }: TestPlace) {
  const { tenantId } = Asked.parse(ctx.params);
  const found = db('pos_connections').where({ tenantId, status: 'active' }).orderBy('createdAt');
  return Account.parse(await found.first('provider', 'merchantId'));
}
