import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import rawBody from 'raw-body';
import { Refusal } from '../../../domain/errors.ts';
import { parseJson } from '../../../domain/json.ts';
import { HttpRefusal } from '../replies/errors.ts';
import { refuseHostileData } from '../requests/hostile-data.ts';
import { MAX_BODY_ELEMENTS, refuseComplexJson } from '../requests/json-structure.ts';

/** More than any JSON body of the service needs, except a logo, whose route sets its own limit. */
export const JSON_LIMIT_BYTES = 16 * 1024;
/** One webhook of a provider may carry many updates. */
export const WEBHOOK_LIMIT_BYTES = 1024 * 1024;

const JSON_TYPE = 'application/json';

export type BodyReader<Body> = (ctx: Context) => Promise<Body>;

/**
 * Creates a reader of JSON bodies of at most `limit` bytes. A missing body reads as `{}`. Refuses
 * another media type (415), a larger body (413), and invalid JSON, a structure of too many parts
 * or hostile data (400).
 */
export function jsonReader(limit: number): BodyReader<unknown> {
  // Read as text: its structure is bounded before anything is parsed.
  const readText = bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: [JSON_TYPE] },
    textLimit: `${limit}b`,
  });
  return async (ctx) => {
    refuseEncoding(ctx);
    if (!hasBody(ctx)) return {};
    if (!ctx.request.is(JSON_TYPE)) {
      throw new HttpRefusal('VALIDATION_ERROR', `Send the body as ${JSON_TYPE}.`, 415, {
        why: 'unsupported_media_type',
      });
    }
    await reading(ctx, limit, () => readText(ctx, async () => undefined));
    const text = String(ctx.request.rawBody ?? '');
    if (text === '') return {};
    refuseComplexJson('body', text, MAX_BODY_ELEMENTS);
    const body = parseObject(text);
    // Reading turns broken UTF-8 into U+FFFD, which is detected here.
    refuseHostileData('body', body);
    return body;
  };
}

function parseObject(text: string): object {
  const body = parseJson(text);
  if (typeof body === 'object' && body !== null) return body;
  if (body === undefined) {
    const message = 'The body is not valid JSON. Correct it and send it again.';
    throw new Refusal('VALIDATION_ERROR', message, 'invalid_json');
  }
  const message = 'The body must be a JSON object. Send one.';
  throw new Refusal('VALIDATION_ERROR', message, 'wrong_type');
}

/** What is known to be small is read at once, and need not be counted as it comes. */
const AT_ONCE_BYTES = 4_000;

/**
 * Creates a reader of a body's exact bytes, which a provider signs, in any media type. Tells how
 * many bytes have come; what that throws ends the reading.
 */
export function bytesReader(
  limit: number,
): (ctx: Context, come: (bytes: number) => void) => Promise<Buffer> {
  return (ctx, come) => {
    refuseEncoding(ctx);
    const length = ctx.get('content-length') || null;
    if (Number(length ?? limit) <= AT_ONCE_BYTES) {
      return reading(ctx, limit, () => rawBody(ctx.req, { limit, length }));
    }
    return reading(ctx, limit, () => readCounted(ctx, limit, come));
  };
}

async function readCounted(
  ctx: Context,
  limit: number,
  come: (bytes: number) => void,
): Promise<Buffer> {
  if (Number(ctx.get('content-length')) > limit) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let size = 0;
  // A refusal has to be sent on the connection that the body comes on.
  const coming: AsyncIterable<Buffer> = ctx.req.iterator({ destroyOnReturn: false });
  try {
    for await (const chunk of coming) {
      size += chunk.length;
      if (size > limit) throw tooLarge(limit);
      come(chunk.length);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : incomplete();
  }
  return Buffer.concat(chunks, size);
}

function refuseEncoding(ctx: Context): void {
  if (['', 'identity'].includes(ctx.get('content-encoding').toLowerCase())) return;
  throw new HttpRefusal('VALIDATION_ERROR', 'Send the body without a Content-Encoding.', 415, {
    why: 'unsupported_media_type',
  });
}

function hasBody(ctx: Context): boolean {
  return ctx.get('transfer-encoding') !== '' || Number(ctx.get('content-length')) > 0;
}

async function reading<T>(ctx: Context, limit: number, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    // A reader that fails leaves the stream paused, and the connection would wait for its end.
    ctx.req.resume();
    throw refusalOfReader(error, limit);
  }
}

function refusalOfReader(error: unknown, limit: number): unknown {
  if (!(error instanceof Error) || !('status' in error)) return error;
  if (error instanceof Refusal) return error;
  if (error.status === 413) return tooLarge(limit);
  return error.status === 400 ? incomplete() : error;
}

function tooLarge(limit: number): Refusal {
  const message = `The body is larger than ${limit} bytes. Send a smaller one.`;
  return new HttpRefusal('VALIDATION_ERROR', message, 413, { why: 'too_large' });
}

/** The connection broke before the body was read; the caller may be gone already. */
function incomplete(): Refusal {
  const message = 'The body is not complete. Send it again.';
  return new Refusal('VALIDATION_ERROR', message, 'incomplete_body');
}
