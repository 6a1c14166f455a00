import type { Context } from 'koa';

/** Markup that is safe to send; only `html` creates it. */
export type Html = { readonly markup: string };
type Value = string | number | undefined | Html | readonly Html[];

/** Renders a template and escapes every value in it, except markup made by this tag. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { markup: String.raw({ raw: strings }, ...values.map(render)) };
}

/**
 * Responds with a complete page that runs no script, loads nothing but, if it may, pictures of this
 * machine, and is never cached.
 */
export function sendPage(
  ctx: Context,
  title: string,
  body: Html,
  { pictures = false }: { pictures?: boolean } = {},
): void {
  ctx.set('Content-Security-Policy', pictures ? `${PAGE_POLICY}; ${PICTURES}` : PAGE_POLICY);
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

// No form-action: the sign-in form is redirected to the client's address in the end.
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
const PICTURES = 'img-src http://127.0.0.1:* http://localhost:*';

const STYLE = `
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
input, select { font: inherit; max-width: 100% }
table { border-collapse: collapse; width: 100% }
td, th { border-bottom: 1px solid #8888; padding: .3rem .5rem; text-align: left }
td { overflow-wrap: anywhere }
label { display: block; margin: .4rem 0 }
button { font: inherit; padding: .3rem .8rem; margin: .2rem 0 }
textarea, iframe {
  box-sizing: border-box; width: 100%; min-height: 14rem; border: 1px solid #8888
}
iframe { min-height: 34rem }
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
