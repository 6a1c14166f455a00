import type { z } from 'zod';
import type { Provider } from '../../domain/payment.ts';
import { InvalidPayload } from './error.ts';

/** The JSON that a body spells in UTF-8. Throws InvalidPayload when it is anything else. */
export function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new InvalidPayload('The body is not JSON in UTF-8.');
  }
}

/**
 * What the schema reads in a provider's JSON. Throws InvalidPayload, which names the fields that do
 * not fit but never their values.
 */
export function readAs<T extends z.ZodType>(
  schema: T,
  json: unknown,
  provider: Provider,
): z.infer<T> {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const paths = result.error.issues.map((issue) => issue.path.join('.') || 'the body');
  throw new InvalidPayload(`Not what ${provider} sends: ${[...new Set(paths)].join(', ')}.`);
}
