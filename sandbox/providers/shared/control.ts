import type { Context, Middleware } from 'koa';
import { z } from 'zod';
import { html, sendPage } from '../../html.ts';
import { CommandRefused } from './refusal.ts';

/**
 * Answers a refused command with `{error}`, or with a page to those who ask for one, and refuses
 * commands from other sites' pages.
 */
export const answerCommands: Middleware = async (ctx, next) => {
  const origin = ctx.get('Origin');
  if (ctx.method !== 'GET' && origin !== '' && origin !== `${ctx.protocol}://${ctx.host}`) {
    ctx.throw(403, 'Commands are accepted from this address only.');
  }
  try {
    await next();
  } catch (error) {
    if (error instanceof z.ZodError) refuse(ctx, z.prettifyError(error));
    else if (error instanceof CommandRefused) refuse(ctx, error.message);
    else throw error;
  }
};

function refuse(ctx: Context, reason: string): void {
  ctx.status = 400;
  if (ctx.accepts('json', 'html') === 'html') {
    sendPage(ctx, 'Not done', html`<pre>${reason}</pre><p>Go back, and change it.</p>`);
  } else {
    ctx.body = { error: reason };
  }
}
