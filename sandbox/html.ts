import { readFileSync } from 'node:fs';
import type { Context } from 'koa';
import { type Html, html, type Value } from '../api/docs/html.ts';

export { type Html, html };

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
