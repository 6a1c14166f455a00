// @ts-check
// An app for customers: it signs them in, lists their wallets, and makes codes for the till.
import { generate } from 'lean-qr';
import { createClient, formatMinorUnits, isLoyaltyError } from 'loyalty-points-client';
import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts';

/** @typedef {import('loyalty-points-client').components['schemas']['Wallet']} Wallet */

const { api = '', clientId = '' } = document.documentElement.dataset;

// The service says where its identity provider is. The token stays in memory.
const users = new UserManager({
  authority: api,
  metadataUrl: `${api}/.well-known/openid-configuration`,
  client_id: clientId,
  redirect_uri: `${location.origin}${location.pathname}`,
  scope: 'openid email phone',
  userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
});

const client = createClient({
  baseUrl: api,
  async token({ refresh }) {
    const user = refresh ? null : await users.getUser();
    if (user === null) await users.signinRedirect();
    return user?.access_token ?? '';
  },
});

/** @param {string} selector */
function find(selector) {
  const element = document.querySelector(selector);
  if (!(element instanceof HTMLElement)) throw new Error(`The page has no ${selector}.`);
  return element;
}

/** @param {string} text */
function say(text) {
  find('#said').textContent = text;
}

/**
 * Says what the service refuses, by its code: its message is for developers.
 * @param {unknown} error
 */
function explain(error) {
  if (!isLoyaltyError(error)) throw error;
  if (error.has('no_rule')) return say('This shop has no points to give yet.');
  if (error.has('wallet_frozen')) return say('Your points here are held. Ask the shop.');
  say(`That did not work. Quote ${error.correlationId} when you ask for help.`);
}

async function showWallets() {
  const wallets = await client.listWallets();
  if (wallets.length === 0) say('No points yet. Buy something, with your e-mail address.');
  find('#wallets').replaceChildren(...wallets.map(rowOf));
}

/** @param {Wallet} wallet */
function rowOf(wallet) {
  const worth = formatMinorUnits(wallet.worthMinorUnits, wallet.currency);
  const row = document.createElement('li');
  row.textContent = `${wallet.tenant.name}: ${wallet.balance} points, worth ${worth} `;
  const button = document.createElement('button');
  button.textContent = 'Get a code';
  button.disabled = wallet.redeemable.max === 0;
  button.onclick = () => showCode(wallet).catch(explain);
  row.append(button);
  return row;
}

/**
 * Turns what can be redeemed into a code, which is good for one use until it expires.
 * @param {Wallet} wallet
 */
async function showCode({ id: walletId, redeemable }) {
  const body = { pointsToRedeem: redeemable.max };
  const { redemptionCode, expiresAt } = await client.confirmRedemption({ walletId, body });
  generate(redemptionCode).toCanvas(/** @type {HTMLCanvasElement} */ (find('#code canvas')));
  const until = new Date(expiresAt).toLocaleTimeString();
  find('#code p').textContent = `${redemptionCode}, until ${until}. Show it at the till.`;
  find('#code').hidden = false;
}

/** Shows the wallets, and again whenever one of them or a code has changed. */
async function follow() {
  for await (const event of client.followEvents()) {
    if (event.event === 'redemption') find('#code').hidden = event.data.status !== 'issued';
    await showWallets();
  }
}

if (new URLSearchParams(location.search).has('code')) {
  await users.signinCallback();
  history.replaceState(null, '', location.pathname);
  await follow().catch(explain);
} else {
  find('#sign-in').hidden = false;
  find('#sign-in').onclick = () => users.signinRedirect();
}
