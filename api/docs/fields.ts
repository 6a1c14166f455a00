import type { oas31 } from 'zod-openapi';
import { type Html, html } from './html.ts';
import { prose } from './prose.ts';

type Schema = oas31.SchemaObject | oas31.ReferenceObject;

/** What is nested deeper is left to the examples. */
const MAX_DEPTH = 4;

/** Renders the fields of a schema, each with its type and what it means. */
export function fieldsOf(schema: Schema, depth = 0): Html | undefined {
  const named = propertiesOf(schema);
  if (named.length === 0 || depth === MAX_DEPTH) return undefined;
  const required = requiredOf(schema);
  return html`<ul class="fields">${named.map(
    ([name, field]) => html`<li><code>${name}</code>
<span class="type">${typeOf(field)}${required.includes(name) ? '' : ', may be left out'}</span>
${prose(descriptionOf(field))}${fieldsOf(field, depth + 1)}</li>`,
  )}</ul>`;
}

/** Says what kind of value a schema is of; one with a name is a link to it. */
export function typeOf(schema: Schema): Html {
  if ('$ref' in schema) {
    const name = nameOf(schema.$ref);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  const { enum: values, anyOf, oneOf, items } = schema;
  if (values !== undefined) {
    return html`${values.map((value) => html`<code>${JSON.stringify(value)}</code>`)}`;
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  const either = anyOf ?? oneOf;
  if (either !== undefined) return html`${either.map((one) => html`${typeOf(one)} `)}`;
  if (isSchema(items)) return html`list of ${typeOf(items)}`;
  const types = [schema.type ?? 'any value'].flat().join(' or ');
  return html`${schema.format === undefined ? types : `${types} (${schema.format})`}`;
}

/** Returns the name by which a part of the document is referred to. */
export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

function propertiesOf(schema: Schema): [string, Schema][] {
  if ('$ref' in schema) return [];
  const { properties, items, allOf = [], anyOf = [], oneOf = [] } = schema;
  const parts = [...allOf, ...anyOf, ...oneOf].flatMap(propertiesOf);
  const own = Object.entries(properties ?? {}).flatMap(([name, field]): [string, Schema][] =>
    isSchema(field) ? [[name, field]] : [],
  );
  return [...own, ...parts, ...(isSchema(items) ? propertiesOf(items) : [])];
}

function requiredOf(schema: Schema): string[] {
  if ('$ref' in schema) return [];
  const parts = [...(schema.allOf ?? []), ...(isSchema(schema.items) ? [schema.items] : [])];
  return [...(schema.required ?? []), ...parts.flatMap(requiredOf)];
}

function descriptionOf(schema: Schema): string {
  return schema.description ?? '';
}

function isSchema(schema: Schema | boolean | undefined): schema is Schema {
  return typeof schema === 'object';
}
