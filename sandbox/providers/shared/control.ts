import type { Middleware } from 'koa';
import { z } from 'zod';
import { CommandRefused } from './refusal.ts';

/** Answers a refused command with `{error}`, and refuses commands from other sites' pages. */
export const answerCommands: Middleware = async (ctx, next) => {
  const origin = ctx.get('Origin');
  if (ctx.method !== 'GET' && origin !== '' && origin !== `${ctx.protocol}://${ctx.host}`) {
    ctx.throw(403, 'Commands are accepted from this address only.');
  }
  try {
    await next();
  } catch (error) {
    if (error instanceof z.ZodError) ctx.body = { error: z.prettifyError(error) };
    else if (error instanceof CommandRefused) ctx.body = { error: error.message };
    else throw error;
    ctx.status = 400;
  }
};
