import { type Html, html } from '../../html.ts';
import type { Chaos } from '../shared/chaos.ts';
import {
  amountInput,
  chaosForm,
  consentForm,
  customerOption,
  merchantSelect,
  select,
} from '../shared/page-forms.ts';
import type { App } from './app.ts';
import { WebhookFault } from './webhook-faults.ts';
import type { World } from './world.ts';

/** Renders the form that rings a sale of any kind. */
export function saleForm(world: World): Html {
  const { store } = world;
  const locations = [...store.locations.values()].map(
    ({ id, name, merchant_id }) =>
      html`<option value="${id}">${name} (${store.merchants.get(merchant_id)?.name})</option>`,
  );
  const customers = [...store.customers.values()].map(({ value }) =>
    customerOption({
      id: value.id,
      names: [value.given_name, value.family_name],
      contact: value.email_address ?? value.phone_number,
    }),
  );
  return html`<form method="post" action="/sales">
<label>Merchant ${merchantSelect(world.store.merchants.values())}</label>
<label>Location
<select name="locationId">
<option value="">the merchant's first</option>${locations}</select></label>
<label>Amount ${amountInput('amount', html`value="12.50" required`)}</label>
<label>Tip ${amountInput('tip')}</label>
<label>Currency <input name="currency" pattern="[A-Z]{3}" placeholder="the location's"></label>
<label>Customer
<select name="customerId"><option value="">none</option>${customers}</select></label>
<label>Buyer's e-mail <input name="buyerEmail" type="email"></label>
<label>Note <input name="note" maxlength="500"></label>
<label>Paid by ${select('source', ['CARD', 'CASH', 'EXTERNAL'])}</label>
<label>Capture ${select('capture', ['at-once', 'later', 'declined'])}</label>
<label>Taken offline, minutes ago
<input name="takenOfflineMinutesAgo" type="number" min="0" placeholder="not offline"></label>
<button class="primary">Ring sale</button>
</form>
<datalist id="customers">${customers}</datalist>`;
}

/** Renders the forms that add merchants, locations and customers. */
export function accountForms({ store }: World): Html {
  const merchants = merchantSelect(store.merchants.values());
  return html`<form method="post" action="/merchants">
<label>New merchant <input name="name" required></label><button>Add merchant</button></form>
<form method="post" action="/locations">
<label>New location of ${merchants}</label>
<label>Name <input name="name" required></label>
<label>Currency <input name="currency" pattern="[A-Z]{3}" placeholder="USD"></label>
<button>Add location</button></form>
<form method="post" action="/customers">
<label>New customer of ${merchants}</label>
<label>Given name <input name="givenName"></label>
<label>Family name <input name="familyName"></label>
<label>E-mail <input name="email"></label>
<label>Phone <input name="phone"></label>
<button>Add customer</button></form>`;
}

/** Renders the forms for the merchants' consent, for webhook faults and for chaos. */
export function faultForms({ consent }: App, chaos: Chaos): Html {
  return html`<h2>Consent</h2>
${consentForm(consent)}
<h2>Chaos dial</h2>
${chaosForm(chaos)}
<h2>Faults of the next webhooks</h2>
<form method="post" action="/delivery-faults">
<label>How many
<input name="times" type="number" min="1" value="1" required></label>
<label>Fault ${select('fault', WebhookFault.shape.fault.options)}</label>
<button>Schedule fault</button></form>`;
}
