import type { Context } from 'koa';
import { TABLE_LANGUAGES, type TableLanguage } from '../../../domain/texts/table-words.ts';

/** Returns which of the languages of tables a caller prefers; the first one without any. */
export function languageOf(ctx: Pick<Context, 'acceptsLanguages'>): TableLanguage {
  const preferred = ctx.acceptsLanguages(...TABLE_LANGUAGES);
  return TABLE_LANGUAGES.find((language) => language === preferred) ?? TABLE_LANGUAGES[0];
}
