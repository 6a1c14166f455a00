import type { Context } from 'koa';

/** Markup that is already safe to send: only `html` makes it. */
export type Html = { readonly markup: string };
type Value = string | number | undefined | Html | readonly Html[];

/** A template tag that escapes every value put into it, except markup made by itself. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { markup: String.raw({ raw: strings }, ...values.map(render)) };
}

/** Answers with a whole page that runs no script, loads nothing and is never cached. */
export function sendPage(ctx: Context, title: string, body: Html): void {
  ctx.set('Content-Security-Policy', PAGE_POLICY);
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'html';
  ctx.body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<h1>${title}</h1>
${body}
</body>
</html>
`.markup;
}

// No form-action: a sign-in form ends, by redirects, at the address of the client it is for.
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto }
table { border-collapse: collapse; width: 100% }
td, th { border-bottom: 1px solid #ddd; padding: .3rem .5rem; text-align: left }
label { display: block; margin: .4rem 0 }
button { font: inherit; padding: .3rem .8rem; margin: .2rem 0 }
textarea, iframe { width: 100%; min-height: 14rem; border: 1px solid #ddd }
pre { white-space: pre-wrap; overflow-wrap: anywhere }
td form { display: inline }
`;

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
