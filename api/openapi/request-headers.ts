import { z } from 'zod';
import type { Route } from '../http/route.ts';

const correlationId = z
  .string()
  .optional()
  .meta({
    description:
      'Identifies the request in every log line. Returned. Up to 128 letters, digits, dots, ' +
      'underscores and hyphens; anything else, and nothing, is replaced by a generated one.',
    override: { type: 'string' },
  });

const idempotencyKey = z
  .string()
  .optional()
  .meta({
    description:
      'A key that you choose for this request. The same request under the same key, within 24 ' +
      'hours, is not carried out again but gets the first response.',
    override: { type: 'string', pattern: '^[!-~]{1,255}$' },
  });

const shopHeader = z
  .string()
  .optional()
  .meta({
    description: 'The shop to work in, needed by an operator of several.',
    override: { type: 'string', format: 'uuid' },
  });

const lastEventId = z
  .string()
  .optional()
  .meta({
    description:
      'The id of the last event that the client has, to resume from there. Within ten minutes.',
    override: { type: 'string' },
  });

const acceptLanguage = z
  .string()
  .optional()
  .meta({
    description: 'Of CSV with `columns=named`: `de` for German; anything else is English.',
    override: { type: 'string' },
  });

/** Describes the headers that a route reads, beside those of HTTP itself. */
export function requestHeadersOf({ idempotent, shop, events, csv }: Route): z.ZodObject {
  return z.object({
    'X-Correlation-Id': correlationId,
    ...(idempotent && { 'Idempotency-Key': idempotencyKey }),
    ...(shop && { 'X-Tenant-Id': shopHeader }),
    ...(csv && { 'Accept-Language': acceptLanguage }),
    ...(events && { 'Last-Event-ID': lastEventId }),
  });
}
