import { z } from 'zod';

type Issue = z.core.$ZodIssueUnrecognizedKeys;

/**
 * Lists the fields of `input` that an object of the schema does not declare, at any depth. A
 * mistyped field would otherwise vanish, which for a cap of a permanent rule is a loss. Objects
 * with a catch-all and records accept any field.
 */
export function unknownFields(schema: z.core.$ZodType, input: unknown): Issue[] {
  return collect(schema, input, []);
}

function collect(schema: z.core.$ZodType, input: unknown, path: PropertyKey[]): Issue[] {
  if (schema instanceof z.ZodObject) return ofObject(schema, input, path);
  if (schema instanceof z.ZodArray) {
    if (!Array.isArray(input)) return [];
    return input.flatMap((item, index) => collect(schema.element, item, [...path, index]));
  }
  if (schema instanceof z.ZodUnion) return ofUnion(schema, input, path);
  if (schema instanceof z.ZodPipe) return collect(schema.in, input, path);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  ) {
    return collect(schema.unwrap(), input, path);
  }
  return [];
}

function ofObject(schema: z.ZodObject, input: unknown, path: PropertyKey[]): Issue[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return [];
  const fields = Object.entries(input);
  const isOpen = schema.def.catchall !== undefined;
  const keys = fields.map(([key]) => key).filter((key) => !Object.hasOwn(schema.shape, key));
  const nested = fields.flatMap(([key, value]) => {
    const field = Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined;
    return field === undefined ? [] : collect(field, value, [...path, key]);
  });
  if (keys.length === 0 || isOpen) return nested;
  return [{ code: 'unrecognized_keys', keys, path, message: '' }, ...nested];
}

/** What is unknown to the option that fits best: it knows most of the fields, the deepest ones. */
function ofUnion(schema: z.ZodUnion, input: unknown, path: PropertyKey[]): Issue[] {
  const found = schema.options.map((option) => collect(option, input, path));
  const depthOf = (issues: Issue[]) => Math.max(0, ...issues.map((issue) => issue.path.length));
  found.sort((one, other) => one.length - other.length || depthOf(other) - depthOf(one));
  return found[0] ?? [];
}
