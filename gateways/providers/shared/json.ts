import type { z } from 'zod';
import type { Provider } from '../../../domain/payment.ts';
import { InvalidPayload } from './error.ts';

/** Parses a body as JSON in UTF-8. Throws InvalidPayload when it is anything else. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new InvalidPayload('The body is not JSON in UTF-8.');
  }
}

/**
 * Parses a provider's JSON with a schema. Throws InvalidPayload, which names the invalid fields but
 * never their values.
 */
export function parseAs<T extends z.ZodType>(
  schema: T,
  json: unknown,
  provider: Provider,
): z.infer<T> {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const paths = result.error.issues.map((issue) => issue.path.join('.') || 'the body');
  throw new InvalidPayload(`Invalid ${provider} payload: ${[...new Set(paths)].join(', ')}.`);
}
