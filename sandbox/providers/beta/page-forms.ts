import { type Html, html } from '../../html.ts';
import {
  amountInput,
  chaosForm,
  consentForm,
  customerOption,
  merchantSelect,
  select,
} from '../shared/page-forms.ts';
import { button } from '../shared/page-rows.ts';
import type { World } from './world.ts';

const OFFERED_RESULTS = ['SUCCESS', 'PENDING', 'AUTH', 'OFFLINE_RETRYING', 'FAIL'];

/** Renders the form that rings a sale of any kind. */
export function saleForm(world: World): Html {
  const customers = [...world.store.customers.values()].map(
    ({ id, firstName, lastName, emails, phones }) =>
      customerOption({
        id,
        names: [firstName, lastName],
        contact: emails[0]?.emailAddress ?? phones[0]?.phoneNumber,
      }),
  );
  return html`<form method="post" action="/sales">
<label>Merchant ${merchantSelect(world.store.merchants.values())}</label>
<label>Amount ${amountInput('amount', html`value="12.50" required`)}</label>
<label>Tip ${amountInput('tip')}</label>
<label>Tax in the amount ${amountInput('tax')}</label>
<label>Currency <input name="currency" pattern="[A-Z]{3}" placeholder="the merchant's"></label>
<label>Customer
<select name="customerId"><option value="">none</option>${customers}</select></label>
<label>Taken offline, minutes ago
<input name="offlineMinutes" type="number" min="0" placeholder="not offline"></label>
<label>Result ${select('result', OFFERED_RESULTS)}</label>
<label><input name="withoutOrder" type="checkbox"> without an order</label>
<button class="primary">Ring sale</button>
</form>
<datalist id="customers">${customers}</datalist>`;
}

/** Renders the forms that add merchants and customers. */
export function accountForms({ store }: World): Html {
  const merchants = merchantSelect(store.merchants.values());
  return html`<form method="post" action="/merchants">
<label>New merchant <input name="name" required></label>
<label>Currency <input name="currency" pattern="[A-Z]{3}" placeholder="USD"></label>
<button>Add merchant</button></form>
<form method="post" action="/customers">
<label>New customer of ${merchants}</label>
<label>First name <input name="firstName"></label>
<label>Last name <input name="lastName"></label>
<label>E-mail <input name="email"></label>
<label>Phone <input name="phone"></label>
<button>Add customer</button></form>`;
}

/** Renders the forms for the URL verification, for the merchants' consent and for chaos. */
export function faultForms(): Html {
  return html`<h2>The app</h2>
${button('/verifications', 'Send verification')}
${consentForm()}
<h2>Chaos dial</h2>
${chaosForm()}`;
}
