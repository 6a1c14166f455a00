import { pipeline } from 'node:stream/promises';
import type { Context } from 'koa';
import type { RenderedReply } from './render-reply.ts';
import type { Streamed } from './reply.ts';

/** Whoever takes nothing for so long is cut off, because others wait for the place. */
const STALLED_MS = 30_000;

/**
 * Sends a response in pieces, and resolves when all of them are sent or the caller has gone. A
 * piece is made once the one before it was taken, so that few are in memory. An error before the
 * first piece is thrown with nothing sent; a later one, too, but the connection then breaks, since
 * only that tells the caller that the rest is missing.
 */
export async function sendPieces(
  ctx: Context,
  { status, headers }: RenderedReply,
  { pieces }: Pick<Streamed, 'pieces'>,
  stalledMs = STALLED_MS,
): Promise<void> {
  const made = pieces[Symbol.asyncIterator]();
  const first = await made.next();
  ctx.status = status;
  ctx.set(headers);
  // From here on the response is ours: Koa would not wait for its end.
  ctx.respond = false;
  if (ctx.method === 'HEAD') {
    await made.return?.();
    ctx.res.end();
    return;
  }
  const failures: unknown[] = [];
  const cutOff = () => {
    ctx.app.emit('error', new Error('The caller took nothing of the response for long.'), ctx);
    ctx.res.destroy();
  };

  async function* taken(): AsyncGenerator<string> {
    try {
      for (let piece = first; !piece.done; piece = await made.next()) {
        const timer = setTimeout(cutOff, stalledMs);
        try {
          yield piece.value;
        } finally {
          clearTimeout(timer);
        }
      }
    } catch (error) {
      failures.push(error);
      throw error;
    } finally {
      await made.return?.();
    }
  }
  try {
    await pipeline(taken(), ctx.res);
  } catch (error) {
    // Otherwise the caller has gone, which Koa notes.
    if (failures.length > 0) throw error;
  }
}
