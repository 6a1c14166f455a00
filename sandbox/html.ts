import { readFileSync } from 'node:fs';
import type { Context } from 'koa';

/** Markup that is safe to send; only `html` creates it. */
export type Html = { readonly markup: string };
type Value = string | number | undefined | Html | readonly Html[];

/** Renders a template and escapes every value in it, except markup made by this tag. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { markup: String.raw({ raw: strings }, ...values.map(render)) };
}

export type PageOptions = {
  /** Whether pictures of this machine may be shown. */
  pictures?: boolean;
  /** The path of a script of the page's own, which may call its own address only. */
  script?: string;
};

/**
 * Responds with a complete page that loads nothing but, if it may, pictures of this machine and a
 * script of its own, and is never cached.
 */
export function sendPage(ctx: Context, title: string, body: Html, options: PageOptions = {}): void {
  const { pictures = false, script } = options;
  const policy = [PAGE_POLICY, pictures && PICTURES, script !== undefined && SCRIPT];
  ctx.set('Content-Security-Policy', policy.filter((part) => part !== false).join('; '));
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'html';
  ctx.body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ markup: STYLE }}</style>
${script === undefined ? undefined : html`<script type="module" src="${script}"></script>`}
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`.markup;
}

/** Renders a table; on a narrow screen each row is a card with the titles of its columns. */
export function table(titles: readonly string[], rows: readonly (readonly Value[])[]): Html {
  const cell = (value: Value, index: number) =>
    html`<td data-title="${titles[index]}"><div>${value}</div></td>`;
  return html`<table>
<thead><tr>${titles.map((title) => html`<th>${title}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map(cell)}</tr>`)}</tbody>
</table>`;
}

/** Renders names with what they stand for. */
export function facts(named: readonly (readonly [string, Value])[]): Html {
  return html`<dl>${named.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

// No form-action: the sign-in form is redirected to the client's address in the end.
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
const PICTURES = 'img-src http://127.0.0.1:* http://localhost:*';
const SCRIPT = "script-src 'self'; connect-src 'self'";

const STYLE = readFileSync(new URL('page.css', import.meta.url), 'utf8');

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

function render(value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (c) => ENTITIES.get(c) ?? c);
  if ('markup' in value) return value.markup;
  return value.map((item) => item.markup).join('\n');
}
