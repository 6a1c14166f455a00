import type Router from '@koa/router';
import bodyParser from 'koa-bodyparser';
import { z } from 'zod';
import { type Html, html } from '../../html.ts';
import { CHAOS_FAULTS, type Chaos, type ChaosFault } from './chaos.ts';
import { CONSENT_CHOICES, type Consent } from './consent.ts';

export type Fields = Record<string, string | number>;
/**
 * What each form of the page does, by its path; `id` is the id in that path. One that returns a
 * text goes on to that address, the others back to the page.
 */
export type FormActions = Record<string, (id: string, form: Fields) => unknown>;

/** Routes each form to its action, and redirects afterwards. */
export function addForms(
  router: Router,
  actions: FormActions,
  numericFields: readonly string[],
): void {
  const numeric = new Set<string>([...numericFields, ...CHAOS_FAULTS]);
  const form = bodyParser({ enableTypes: ['form'] });
  for (const [path, act] of Object.entries(actions)) {
    router.post(path, form, async (ctx) => {
      const next = await act(ctx.params.id ?? '', readForm(ctx.request.body, numeric));
      ctx.status = 303;
      ctx.redirect(typeof next === 'string' ? next : '/');
    });
  }
}

/** Returns the fields that were filled in. Forms send only text, so numbers are converted. */
function readForm(body: unknown, numeric: ReadonlySet<string>): Fields {
  const fields = z.record(z.string(), z.string()).parse(body);
  const filled = Object.entries(fields).filter(([, value]) => value.trim() !== '');
  return Object.fromEntries(
    filled.map(([name, value]) => [name, numeric.has(name) ? Number(value) : value.trim()]),
  );
}

/** Renders the form that sets how the authorization page responds. */
export function consentForm({ mode }: Consent = { mode: 'page' }): Html {
  const chosen = typeof mode === 'string' ? mode : 'slow';
  return html`<form method="post" action="/consent">
<label>Merchants who are asked ${select('mode', CONSENT_CHOICES, chosen)}</label>
<button>Set</button></form>`;
}

/** What each fault does, for people who have not seen it yet. */
const FAULT_SENTENCES = {
  duplicate: 'A webhook is sent twice.',
  reorder: 'A webhook is held back until the next one has overtaken it.',
  delay: 'A webhook is sent some minutes late.',
  drop: 'A webhook is lost on its way; the provider sends it again later.',
  wrongKey: 'A webhook is signed with a wrong key, so the service has to refuse it.',
  tooMany: 'A request of the service is refused with 429: it has asked too often.',
  serverError: 'A request of the service fails with 500, 502, 503 or 504.',
  expiredToken: 'The access token expires early, so the service has to renew it.',
  notFoundFirst: 'A new payment is not found when the service asks for it the first time.',
  clockSkew: 'No chance: how wrong the provider’s clock is; 1 is a minute.',
} satisfies Record<ChaosFault, string>;

/** Renders the form that sets the chaos dial. */
export function chaosForm(chaos: Chaos = {}): Html {
  const shares = CHAOS_FAULTS.map(
    (fault) => html`<label>${fault} <small>${FAULT_SENTENCES[fault]}</small>
<input name="${fault}" type="number" min="0" max="1" step="any" value="${chaos[fault]}"></label>`,
  );
  return html`<form method="post" action="/chaos">
<p>How often each fault happens: 0.2 is every fifth time, 1 always; an empty field turns it
off.</p>
${shares}<button>Set the dial</button></form>`;
}

/** Renders a selection of the merchants. */
export function merchantSelect(merchants: Iterable<{ id: string; name: string }>): Html {
  const options = [...merchants].map(
    ({ id, name }) => html`<option value="${id}">${name}</option>`,
  );
  return html`<select name="merchantId">${options}</select>`;
}

type Named = { id: string; names: readonly (string | undefined)[]; contact: string | undefined };

/** Renders a customer to be chosen. */
export function customerOption({ id, names, contact = 'no contact' }: Named): Html {
  return html`<option value="${id}">${wholeName(names)}, ${contact}</option>`;
}

/** A name of which parts may be missing. */
export function wholeName(names: readonly (string | undefined)[]): string {
  return names.filter((name) => name).join(' ') || 'no name';
}

/** Renders a selection of the values. */
export function select(name: string, values: readonly string[], chosen?: string): Html {
  const options = values.map((value) =>
    value === chosen ? html`<option selected>${value}</option>` : html`<option>${value}</option>`,
  );
  return html`<select name="${name}">${options}</select>`;
}

/** Renders a field for an amount such as 12.50. */
export function amountInput(name: string, attributes = html``): Html {
  return html`<input name="${name}" inputmode="decimal" pattern="[0-9]+([.][0-9]+)?"
${attributes}>`;
}
