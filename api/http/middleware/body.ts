import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import rawBody from 'raw-body';
import { Refusal } from '../../../domain/errors.ts';
import { HttpRefusal } from '../errors.ts';
import { refuseHostileData } from '../hostile-data.ts';

/** Contract 2. */
export const JSON_LIMIT_BYTES = 256 * 1024;
export const WEBHOOK_LIMIT_BYTES = 1024 * 1024;

export type BodyReader<Body> = (ctx: Context) => Promise<Body>;

/**
 * A reader of JSON bodies of at most `limit` bytes. No body at all reads as `{}`. Refuses another
 * media type (415), a larger body (413), and what is no JSON or is hostile (400).
 */
export function jsonReader(limit: number): BodyReader<unknown> {
  const parse = bodyParser({ enableTypes: ['json'], jsonLimit: `${limit}b` });
  return async (ctx) => {
    refuseEncoding(ctx);
    if (!hasBody(ctx)) return {};
    if (!ctx.request.is('application/json')) {
      throw new HttpRefusal('VALIDATION_ERROR', 'Send the body as application/json.', 415);
    }
    await reading(ctx, limit, () => parse(ctx, async () => undefined));
    // The parser reads broken UTF-8 as U+FFFD, which this finds.
    refuseHostileData('body', ctx.request.body);
    return ctx.request.body;
  };
}

/** A reader of a body's exact bytes, which is what a provider signed; of any media type. */
export function bytesReader(limit: number): BodyReader<Buffer> {
  return (ctx) => {
    refuseEncoding(ctx);
    const length = ctx.get('Content-Length') || null;
    return reading(ctx, limit, () => rawBody(ctx.req, { limit, length }));
  };
}

function refuseEncoding(ctx: Context): void {
  if (['', 'identity'].includes(ctx.get('Content-Encoding').toLowerCase())) return;
  throw new HttpRefusal('VALIDATION_ERROR', 'Send the body without a Content-Encoding.', 415);
}

function hasBody(ctx: Context): boolean {
  return ctx.get('Transfer-Encoding') !== '' || Number(ctx.get('Content-Length')) > 0;
}

async function reading<T>(ctx: Context, limit: number, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    // A reader that gives up leaves the stream paused, and the connection would wait for its end.
    ctx.req.resume();
    throw refusalOfReader(error, ctx, limit);
  }
}

/** The readers' errors carry the text they were given, so none of them is passed on. */
function refusalOfReader(error: unknown, ctx: Context, limit: number): unknown {
  if (!(error instanceof Error) || !('status' in error)) return error;
  // The connection broke before the body was asked for; nobody may be left to read the answer.
  if (ctx.req.destroyed) return new Refusal('VALIDATION_ERROR', 'The body is not complete.');
  if (error.status === 413) {
    return new HttpRefusal('VALIDATION_ERROR', `The body is larger than ${limit} bytes.`, 413);
  }
  if (error.status !== 400) return error;
  return error.message.includes('prototype')
    ? new Refusal('VALIDATION_ERROR', 'The body must not have a key that names a prototype.')
    : new Refusal('VALIDATION_ERROR', 'The body is not complete and valid JSON.');
}
