import { escapeHtml } from '../../domain/texts/escape-html.ts';

/** Markup that is safe to send; only `html` creates it. */
export type Html = { readonly markup: string };
export type Value = string | number | undefined | Html | readonly Html[];

/** Renders a template and escapes every value in it, except markup made by this tag. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const [first = '', ...others] = strings;
  return { markup: first + others.map((text, nth) => render(values[nth]) + text).join('') };
}

function render(value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escapeHtml(value);
  if ('markup' in value) return value.markup;
  return value.map((item) => item.markup).join('\n');
}
