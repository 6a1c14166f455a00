import { randomUUID } from 'node:crypto';
import { ask, outcomeOf } from './client.ts';
import { connectAccount } from './connecting.ts';
import { pollFinds } from './perform-at-provider.ts';
import type { Play } from './playing.ts';
import { disconnectShop, openTenant } from './shop.ts';
import type { Provider, StepOf } from './steps.ts';

type AccountStep = StepOf<'disconnect' | 'reconnect' | 'revoke' | 'rival' | 'foreign-account'>;

/** Does a step about the shop's account of a provider. */
export async function changeAccount(
  play: Play,
  { do: asked, provider }: AccountStep,
): Promise<void> {
  switch (asked) {
    case 'disconnect':
      return disconnect(play, provider);
    case 'reconnect':
      return reconnect(play, provider);
    case 'revoke':
      return revoke(play, provider);
    case 'rival':
      return connectRival(play, provider);
    case 'foreign-account':
      return connectForeign(play, provider);
    default:
      return asked satisfies never;
  }
}

/** Whether the merchant is suspended, which the service must say, too. */
async function isRefused({ deployment, shop, model }: Play): Promise<boolean> {
  if (!model.world.suspended.has('merchant')) return false;
  const request = { path: `/client/tenants/${shop.tenantId}`, token: shop.merchant };
  model.askedSuspended('merchant', outcomeOf(await ask(deployment.urls, request)));
  return true;
}

async function disconnect(play: Play, provider: Provider): Promise<void> {
  // A sale that no webhook told is found in the present time of the account only.
  if (provider === 'beta' && play.needsTruth) return;
  // A sale that is dated later than this would be of nobody.
  if (play.deployment.providerClock.latest() > Date.now()) return;
  if (await isRefused(play)) return;
  await disconnectShop(play.deployment, play.shop, provider);
  play.model.disconnected(provider);
}

/** Connects an account that does not work. */
export async function reconnect(play: Play, provider: Provider): Promise<void> {
  const { deployment, shop, model } = play;
  if (model.world.connected.has(provider) || (await isRefused(play))) return;
  const account = { provider, merchantId: shop.merchantIds[provider] };
  const outcome = await connectAccount(deployment, shop, account);
  model.connecting(provider, outcome, { finds: pollFinds(play) });
  if (outcome === 'connected') play.needsPoll = true;
}

async function revoke({ deployment, shop, model }: Play, provider: Provider): Promise<void> {
  if (!model.world.connected.has(provider)) return;
  const { alpha, beta } = deployment.providers;
  if (provider === 'alpha') alpha.revokeTokens(shop.merchantIds.alpha);
  else beta.uninstall(shop.merchantIds.beta);
  model.revoked(provider);
}

async function connectRival(play: Play, provider: Provider): Promise<void> {
  const { deployment, shop, model } = play;
  if (model.world.taken.has(provider)) return;
  shop.rival ??= await openTenant(deployment, shop.admin, `rival-${randomUUID().slice(0, 8)}`);
  const account = { provider, merchantId: shop.merchantIds[provider] };
  model.rivalConnecting(provider, await connectAccount(deployment, shop.rival, account));
}

/** The rival gives back what it has taken. */
export async function disconnectRival({ deployment, shop, model }: Play): Promise<void> {
  for (const provider of [...model.world.taken]) {
    if (shop.rival !== undefined) await disconnectShop(deployment, shop.rival, provider);
    model.rivalLeft(provider);
  }
}

async function connectForeign(play: Play, provider: Provider): Promise<void> {
  const { deployment, shop, model } = play;
  if (await isRefused(play)) return;
  const { alpha, beta } = deployment.providers;
  const merchantId =
    shop.foreignIds[provider] ??
    (provider === 'alpha'
      ? alpha.addMerchant({ name: 'Shop', locations: [{ name: 'Main', currency: 'EUR' }] }).id
      : beta.addMerchant({ name: 'Shop', currency: 'EUR' }).id);
  shop.foreignIds[provider] = merchantId;
  model.connectingForeign(await connectAccount(deployment, shop, { provider, merchantId }));
}
