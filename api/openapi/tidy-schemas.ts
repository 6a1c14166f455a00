import type { oas31 } from 'zod-openapi';
import { COMMON_PROPERTIES } from './common-properties.ts';

type Json = Record<string, unknown>;

/** The types whose null is a second type of the same value. */
const SCALARS: readonly unknown[] = ['string', 'integer', 'number', 'boolean'];

/**
 * Rewrites the schemas of a document as a person would: what may be null is one schema instead of a
 * choice of two, a value of several types is a choice of them, and a property that means the same
 * everywhere is described by its name.
 */
export function tidySchemas(document: oas31.OpenAPIObject): void {
  tidy(document);
}

function tidy(value: unknown, isProperties = false): void {
  if (Array.isArray(value)) {
    for (const item of value) tidy(item);
    return;
  }
  if (!isObject(value)) return;
  for (const [key, child] of Object.entries(value)) {
    if (!isProperties && (key === 'example' || key === 'examples')) continue;
    tidy(child, key === 'properties' && !isProperties);
    if (key === 'properties' && isObject(child)) describeByName(child);
  }
  if (Array.isArray(value.anyOf)) joinNull(value, value.anyOf);
  else if (Array.isArray(value.type) && value.type.length > 2) splitTypes(value, value.type);
  // Beside a reference it would forbid every property of what is referred to.
  if ('$ref' in value) delete value.additionalProperties;
}

function describeByName(properties: Json): void {
  for (const [name, schema] of Object.entries(properties)) {
    const description = COMMON_PROPERTIES[name];
    if (description === undefined || !isObject(schema) || '$ref' in schema) continue;
    schema.description ??= description;
  }
}

function joinNull(schema: Json, choices: readonly unknown[]): void {
  const [some, none, ...others] = choices;
  if (!isObject(some) || !isObject(none) || none.type !== 'null' || others.length > 0) return;
  if (schema.description === undefined && some.description !== undefined) {
    schema.description = some.description;
    delete some.description;
  }
  if (!SCALARS.includes(some.type) || 'enum' in some || 'const' in some) return;
  delete schema.anyOf;
  const { description } = schema;
  Object.assign(schema, some, { type: [some.type, 'null'] });
  if (description !== undefined) schema.description = description;
}

/** Generators know a value that may be null, and choices, but not a list of types. */
function splitTypes(schema: Json, types: readonly unknown[]): void {
  delete schema.type;
  schema.anyOf = types.map((type) => ({ type }));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
