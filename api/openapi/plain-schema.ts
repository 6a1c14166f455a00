import { z } from 'zod';
import type { ZodOpenApiOverride } from 'zod-openapi';

/** Formats that say what the library's pattern for them says. */
const KNOWN_FORMATS: readonly unknown[] = ['uuid', 'date-time'];

/**
 * Writes schemas as a person would. Patterns beside a format only repeat what it says, and so do
 * the bounds of exact integers in an answer. A fraction is double: without that, generators for Go
 * make it single. A request with an unknown field is refused; a response may get further fields at
 * any time.
 */
export const plainSchema: ZodOpenApiOverride = ({ jsonSchema, zodSchema, io }) => {
  if (KNOWN_FORMATS.includes(jsonSchema.format)) {
    const stated = z.globalRegistry.get(zodSchema)?.pattern;
    if (zodSchema._zod.def.type === 'string' && jsonSchema.pattern !== stated) {
      delete jsonSchema.pattern;
    }
  }
  if (jsonSchema.type === 'number') jsonSchema.format ??= 'double';
  if (io === 'output' && jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (io === 'output' && jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (!(zodSchema instanceof z.ZodObject) || zodSchema.def.catchall !== undefined) return;
  if (io === 'input') jsonSchema.additionalProperties = false;
  else delete jsonSchema.additionalProperties;
};
