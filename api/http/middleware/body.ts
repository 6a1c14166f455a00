import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import rawBody from 'raw-body';
import { Refusal } from '../../../domain/errors.ts';
import { HttpRefusal } from '../errors.ts';
import { refuseHostileData } from '../hostile-data.ts';

/** More than any JSON body of the service needs, except a logo, whose route sets its own limit. */
export const JSON_LIMIT_BYTES = 256 * 1024;
/** One webhook of a provider may carry many updates. */
export const WEBHOOK_LIMIT_BYTES = 1024 * 1024;

export type BodyReader<Body> = (ctx: Context) => Promise<Body>;

/**
 * Creates a reader of JSON bodies of at most `limit` bytes. A missing body reads as `{}`. Refuses
 * another media type (415), a larger body (413), and invalid JSON or hostile data (400).
 */
export function jsonReader(limit: number): BodyReader<unknown> {
  const parse = bodyParser({ enableTypes: ['json'], jsonLimit: `${limit}b` });
  return async (ctx) => {
    refuseEncoding(ctx);
    if (!hasBody(ctx)) return {};
    if (!ctx.request.is('application/json')) {
      throw new HttpRefusal('VALIDATION_ERROR', 'Send the body as application/json.', 415, {
        why: 'unsupported_media_type',
      });
    }
    await reading(ctx, limit, () => parse(ctx, async () => undefined));
    // The parser turns broken UTF-8 into U+FFFD, which is detected here.
    refuseHostileData('body', ctx.request.body);
    return ctx.request.body;
  };
}

/** Creates a reader of a body's exact bytes, which a provider signs, in any media type. */
export function bytesReader(limit: number): BodyReader<Buffer> {
  return (ctx) => {
    refuseEncoding(ctx);
    const length = ctx.get('Content-Length') || null;
    return reading(ctx, limit, () => rawBody(ctx.req, { limit, length }));
  };
}

function refuseEncoding(ctx: Context): void {
  if (['', 'identity'].includes(ctx.get('Content-Encoding').toLowerCase())) return;
  throw new HttpRefusal('VALIDATION_ERROR', 'Send the body without a Content-Encoding.', 415, {
    why: 'unsupported_media_type',
  });
}

function hasBody(ctx: Context): boolean {
  return ctx.get('Transfer-Encoding') !== '' || Number(ctx.get('Content-Length')) > 0;
}

async function reading<T>(ctx: Context, limit: number, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    // A reader that fails leaves the stream paused, and the connection would wait for its end.
    ctx.req.resume();
    throw refusalOfReader(error, ctx, limit);
  }
}

/** The readers' errors quote the text they were given, so none is passed on. */
function refusalOfReader(error: unknown, ctx: Context, limit: number): unknown {
  if (!(error instanceof Error) || !('status' in error)) return error;
  // The connection broke before the body was read; the caller may be gone already.
  if (ctx.req.destroyed) {
    return new Refusal(
      'VALIDATION_ERROR',
      'The body is not complete. Send it again.',
      'incomplete_body',
    );
  }
  if (error.status === 413) {
    const message = `The body is larger than ${limit} bytes. Send a smaller one.`;
    return new HttpRefusal('VALIDATION_ERROR', message, 413, { why: 'too_large' });
  }
  if (error.status !== 400) return error;
  return error.message.includes('prototype')
    ? new Refusal(
        'VALIDATION_ERROR',
        'The body has a key that names a prototype. Remove it.',
        'forbidden_key',
      )
    : new Refusal(
        'VALIDATION_ERROR',
        'The body is not valid JSON. Correct it and send it again.',
        'invalid_json',
      );
}
