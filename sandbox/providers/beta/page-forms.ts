import { type Html, html } from '../../html.ts';
import { CHAOS_FAULTS } from '../shared/chaos.ts';
import type { World } from './world.ts';

const RESULTS_TO_RING = ['SUCCESS', 'PENDING', 'AUTH', 'OFFLINE_RETRYING', 'FAIL'];

/** The form that rings a sale, of every kind there is. */
export function saleForm(world: World): Html {
  const customers = [...world.store.customers.values()].map(
    ({ id, firstName, lastName, emails, phones }) =>
      html`<option value="${id}">${firstName} ${lastName},
${emails[0]?.emailAddress ?? phones[0]?.phoneNumber ?? 'no contact'}</option>`,
  );
  return html`<form method="post" action="/sales">
<label>Merchant ${merchantSelect(world)}</label>
<label>Amount in minor units
<input name="amount" type="number" min="0" value="1250" required></label>
<label>Tip <input name="tip" type="number" min="0"></label>
<label>Tax in the amount <input name="tax" type="number" min="0"></label>
<label>Currency <input name="currency" pattern="[A-Z]{3}" placeholder="the merchant's"></label>
<label>Customer
<select name="customerId"><option value="">none</option>${customers}</select></label>
<label>Taken offline, so many minutes ago
<input name="offlineMinutes" type="number" min="0" placeholder="not"></label>
<label>Result ${select('result', RESULTS_TO_RING)}</label>
<label><input name="withoutOrder" type="checkbox"> without an order</label>
<button>Ring the sale</button>
</form>
<datalist id="customers">${customers}</datalist>`;
}

/** The forms that add merchants and customers. */
export function accountForms(world: World): Html {
  return html`<form method="post" action="/merchants">
<label>New merchant <input name="name" required></label>
<label>Currency <input name="currency" pattern="[A-Z]{3}" placeholder="USD"></label>
<button>Add the merchant</button></form>
<form method="post" action="/customers">
<label>New customer of ${merchantSelect(world)}</label>
<label>First name <input name="firstName"></label>
<label>Last name <input name="lastName"></label>
<label>E-mail <input name="email"></label>
<label>Phone <input name="phone"></label>
<button>Add the customer</button></form>`;
}

/** The forms for the handshake, for how merchants consent, and for what goes wrong. */
export function troubleForms(): Html {
  const shares = CHAOS_FAULTS.map(
    (fault) => html`<label>${fault}
<input name="${fault}" type="number" min="0" max="1" step="any"></label>`,
  );
  return html`<h2>The app</h2>
<form method="post" action="/verifications"><button>Send the handshake</button></form>
<form method="post" action="/consent">
<label>Merchants that are asked ${select('mode', ['page', 'approve', 'deny', 'slow'])}</label>
<button>Set</button></form>
<h2>Trouble</h2>
<form method="post" action="/chaos">
<p>Chaos: the share of each fault, from 0 to 1; what is left empty is off.</p>
${shares}<button>Turn the dial</button></form>`;
}

function merchantSelect({ store }: World): Html {
  const merchants = [...store.merchants.values()].map(
    ({ id, name }) => html`<option value="${id}">${name}</option>`,
  );
  return html`<select name="merchantId">${merchants}</select>`;
}

function select(name: string, values: readonly string[]): Html {
  const options = values.map((value) => html`<option>${value}</option>`);
  return html`<select name="${name}">${options}</select>`;
}
