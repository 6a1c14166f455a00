import type { Context } from 'koa';
import { LANGUAGES, type Language } from '../../../domain/language.ts';

/** Returns which of the languages a caller prefers; English without any. */
export function languageOf(ctx: Pick<Context, 'acceptsLanguages'>): Language {
  const preferred = ctx.acceptsLanguages(...LANGUAGES);
  return LANGUAGES.find((language) => language === preferred) ?? 'en';
}
