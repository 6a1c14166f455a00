import type { oas31 } from 'zod-openapi';
import { fieldsOf, nameOf, typeOf } from './fields.ts';
import { type Html, html } from './html.ts';
import { prose } from './prose.ts';

/** In the order in which people get to know the service; the document's is alphabetical. */
export const TAGS = ['Auth', 'Consumer', 'Operator', 'Merchant', 'Webhooks', 'Admin', 'Proofs'];
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

type Operation = {
  method: string;
  path: string;
  is: oas31.OperationObject;
  parameters: oas31.ParameterObject[];
};

/**
 * Renders the reference as one page of plain text that is there at once: what there is, with every
 * field, and a search. Requests are sent from another page, whose library takes seconds to load.
 */
export function renderReference(document: oas31.OpenAPIObject): string {
  const operations = operationsOf(document);
  const tags = (document.tags ?? []).toSorted(
    (one, other) => TAGS.indexOf(one.name) - TAGS.indexOf(other.name),
  );
  const { schemas = {} } = document.components ?? {};
  return html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Loyalty points: API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/pages.css">
<script type="module" src="docs/search.js"></script>
<body>
<nav><a href="docs/build-an-app">Build an app</a> · <a href="docs/try">Try requests</a> ·
<a href="api/v1/openapi.json">openapi.json</a></nav>
<main>
<h1>API reference</h1>
<label class="search">Search <input type="search" id="search" autocomplete="off"
placeholder="redeem, /consumer/wallets, Idempotency-Key"></label>
<p id="found" role="status"></p>
<div class="intro">${prose(document.info.description ?? '')}</div>
<nav class="tags" aria-label="Groups">
${tags.map(({ name }) => html`<a href="#${name}">${name}</a> `)}
<a href="#schemas">Schemas</a></nav>
${tags.map(({ name, description = '' }) =>
  section(
    name,
    description,
    operations.filter(({ is }) => is.tags?.includes(name)),
  ),
)}
<section id="schemas"><h2>Schemas</h2>
${Object.entries(schemas).map(
  ([name, schema]) => html`<details class="entry">
<summary><code>${name}</code></summary>
<div id="schema-${name}"><p>${typeOf(schema)}</p>${fieldsOf(schema)}</div></details>`,
)}
</section>
</main>
</body>
</html>
`.markup;
}

function operationsOf({ paths = {}, components = {} }: oas31.OpenAPIObject): Operation[] {
  const parametersOf = ({ parameters = [] }: oas31.OperationObject) =>
    parameters.flatMap((one) => {
      const found = '$ref' in one ? components.parameters?.[nameOf(one.$ref)] : one;
      return found === undefined || '$ref' in found ? [] : [found];
    });
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const is = item[method];
      if (is === undefined) return [];
      return [{ method: method.toUpperCase(), path, is, parameters: parametersOf(is) }];
    }),
  );
}

function section(tag: string, description: string, operations: readonly Operation[]): Html {
  return html`<section id="${tag}"><h2>${tag}</h2><p>${description}</p>
${operations.map((operation) => operationEntry(tag, operation))}</section>`;
}

function operationEntry(tag: string, { method, path, is, parameters }: Operation): Html {
  const { operationId = '', summary = '', description = '' } = is;
  const short = path.replace('/api/v1', '');
  return html`<details class="entry"><summary><span class="method">${method}</span>
<code>${short}</code> <span class="summary">${summary}</span></summary>
<div id="${operationId}">
<p class="muted">In the client: <code>${operationId}</code> ·
<a href="docs/try#tag/${tag.toLowerCase()}/${method}${path}">Try it</a></p>
${prose(description)}${parameterList(parameters)}${bodyOf(is)}${answersOf(is)}</div></details>`;
}

function parameterList(parameters: readonly oas31.ParameterObject[]): Html | undefined {
  if (parameters.length === 0) return undefined;
  return html`<h3>Parameters</h3><ul class="fields">${parameters.map((parameter) => {
    const { name, in: where, required = false, schema, description = '' } = parameter;
    const place = where === 'header' ? 'header' : `in the ${where}`;
    return html`<li><code>${name}</code> <span class="type">${place},
${schema === undefined ? undefined : typeOf(schema)}${required ? '' : ', may be left out'}</span>
${prose(description)}</li>`;
  })}</ul>`;
}

function bodyOf({ requestBody }: oas31.OperationObject): Html | undefined {
  if (requestBody === undefined || '$ref' in requestBody) return undefined;
  return html`<h3>Body</h3>${contentOf(requestBody.content)}`;
}

function answersOf({ responses = {} }: oas31.OperationObject): Html {
  const entries = Object.entries(responses);
  const good = entries.filter(([status]) => status.startsWith('2') || status.startsWith('3'));
  const refusals = entries.filter((entry) => !good.includes(entry));
  return html`${good.map(
    ([status, answer]) => html`<h3>Answer ${status}</h3>
${'$ref' in answer ? undefined : html`<p>${answer.description}</p>${contentOf(answer.content)}`}`,
  )}
<h3>Errors</h3><ul class="fields">${refusals.map(
    ([status, answer]) => html`<li><code>${status}</code>
${'$ref' in answer ? nameOf(answer.$ref) : html`${answer.description}${issuesOf(answer.content)}`}
</li>`,
  )}</ul>`;
}

function issuesOf(content: oas31.ContentObject = {}): Html {
  const names = Object.keys(content['application/json']?.examples ?? {});
  return html`${names.map((name) => html` <code>${name}</code>`)}`;
}

function contentOf(content: oas31.ContentObject = {}): Html {
  return html`${Object.entries(content).map(([type, { schema, example }]) => {
    const isJson = type === 'application/json';
    const sample = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
    return html`${isJson ? undefined : html`<p><code>${type}</code></p>`}
${schema === undefined ? undefined : html`${kindOf(schema)}${fieldsOf(schema)}`}
${example === undefined ? undefined : html`<pre><code>${sample}</code></pre>`}`;
  })}`;
}

/** What a whole body is; that it is an object goes without saying. */
function kindOf(schema: oas31.SchemaObject | oas31.ReferenceObject): Html | undefined {
  const isPlain = !('$ref' in schema) && schema.type === 'object';
  return isPlain ? undefined : html`<p>${typeOf(schema)}</p>`;
}
