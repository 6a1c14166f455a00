import { today } from './days.ts';
import type { Version } from './model/state.ts';
import type { Play } from './playing.ts';
import { customerOf, type RungSale } from './shop.ts';
import type { Step, StepOf } from './steps.ts';

/** Does a step that happens at a provider; returns false if it is of another kind. */
export function performAtProvider(play: Play, step: Step): boolean {
  switch (step.do) {
    case 'sale':
      ring(play, step);
      return true;
    case 'capture':
    case 'cancel':
      finish(play, step);
      return true;
    case 'attach':
      attach(play, step);
      return true;
    case 'refund':
      refund(play, step);
      return true;
    case 'fail-refund':
      failRefund(play, step);
      return true;
    case 'void':
      voidSale(play, step);
      return true;
    default:
      return false;
  }
}

/** A month is more than the week before connecting, in which sales earn. */
const OLD_MINUTES = 30 * 24 * 60;

function ring(play: Play, step: StepOf<'sale'>): void {
  const { deployment, shop, model } = play;
  const { alpha, beta } = deployment.providers;
  const { provider, buyer, amount, currency, isPending } = step;
  const customerId = buyer === null ? undefined : customerOf(deployment, shop, { provider, buyer });
  const paid = { amount, tip: step.tip, currency, customerId };
  const version: Version = { state: isPending ? 'pending' : 'settled', refunded: 0, buyer };
  const known = { provider, amount, version, refunds: [] };
  // Where nothing is delivered, the loss would hit the sale of somebody else.
  const isHeard = model.world.connected.has(provider);
  const isLost = step.isLost && isHeard && (provider === 'beta' || pollFinds(play));
  if (provider === 'alpha') play.needsPoll ||= isLost;
  else play.needsTruth ||= isLost;
  if (provider === 'alpha') {
    // The next event is this sale's: nothing else happens before it is rung.
    if (isLost) alpha.scheduleWebhookFault({ fault: 'dropForGood', type: 'payment.created' });
    const capture = isPending ? 'later' : 'at-once';
    const old = step.isOld ? { takenOfflineMinutesAgo: OLD_MINUTES } : {};
    const { id } = alpha.ring({ ...paid, ...old, merchantId: shop.merchantIds.alpha, capture });
    shop.sales.set(step.sale, { ...known, id, orderId: undefined });
  } else {
    const result = isPending ? 'PENDING' : 'SUCCESS';
    if (isLost) beta.loseNext();
    const payment = beta.ring({ ...paid, merchantId: shop.merchantIds.beta, result });
    shop.sales.set(step.sale, { ...known, id: payment.id, orderId: payment.orderId });
  }
  const isDated = deployment.providerClock.isRight();
  const dates = { isOld: step.isOld, isDated, day: today(shop.timeZone) };
  model.sale(step.sale, { provider, amount, currency, ...dates }, version);
}

/**
 * Whether a poll finds a sale of now. It asks for nothing from before the account was connected, so
 * not if a clock that is behind says that it was rung before.
 */
export function pollFinds({ deployment, shop }: Pick<Play, 'deployment' | 'shop'>): boolean {
  return deployment.providerClock.behindAt() < shop.openedAt;
}

function finish(play: Play, step: StepOf<'capture' | 'cancel'>): void {
  const sale = play.shop.sales.get(step.sale);
  if (sale?.version.state !== 'pending') return;
  const { alpha, beta } = play.deployment.providers;
  const isCaptured = step.do === 'capture';
  if (sale.provider === 'beta') beta.settle(sale.id, isCaptured ? 'SUCCESS' : 'FAIL');
  else if (isCaptured) alpha.capture(sale.id);
  else alpha.cancel(sale.id);
  changed(play, step.sale, { ...sale.version, state: isCaptured ? 'settled' : 'cancelled' });
}

function attach(play: Play, step: StepOf<'attach'>): void {
  const { deployment, shop } = play;
  const sale = shop.sales.get(step.sale);
  if (sale === undefined || sale.version.buyer !== null) return;
  if (sale.version.state !== 'settled' && sale.version.state !== 'pending') return;
  const { provider, id, orderId } = sale;
  const customerId = customerOf(deployment, shop, { provider, buyer: step.buyer });
  const { alpha, beta } = deployment.providers;
  if (provider === 'alpha') alpha.attachCustomer(id, customerId);
  else if (orderId !== undefined) beta.attachCustomer(orderId, customerId);
  changed(play, step.sale, { ...sale.version, buyer: step.buyer });
}

function refund(play: Play, step: StepOf<'refund'>): void {
  const sale = play.shop.sales.get(step.sale);
  if (sale?.version.state !== 'settled') return;
  const { provider, id, amount, version } = sale;
  const refunded = Math.min(amount - version.refunded, Math.ceil(amount * step.share));
  if (refunded <= 0) return;
  const { alpha, beta } = play.deployment.providers;
  const done = provider === 'alpha' ? alpha.refund(id, refunded) : beta.refund(id, refunded);
  sale.refunds.push({ id: done.id, amount: refunded });
  changed(play, step.sale, { ...version, refunded: version.refunded + refunded });
}

function failRefund(play: Play, step: StepOf<'fail-refund'>): void {
  const sale = play.shop.sales.get(step.sale);
  const last = sale?.refunds.pop();
  if (sale === undefined || last === undefined) return;
  const { alpha, beta } = play.deployment.providers;
  if (sale.provider === 'alpha') alpha.failRefund(last.id);
  else beta.failRefund(sale.id, last.id);
  changed(play, step.sale, { ...sale.version, refunded: sale.version.refunded - last.amount });
}

function voidSale(play: Play, step: StepOf<'void'>): void {
  const sale = play.shop.sales.get(step.sale);
  if (sale?.provider !== 'beta' || sale.version.state !== 'settled') return;
  if (sale.version.refunded > 0) return;
  play.deployment.providers.beta.voidPayment(sale.id);
  changed(play, step.sale, { ...sale.version, state: 'voided' });
}

function changed(play: Play, name: string, version: Version): void {
  const sale: RungSale | undefined = play.shop.sales.get(name);
  if (sale === undefined) return;
  sale.version = version;
  play.model.version(name, version);
}
