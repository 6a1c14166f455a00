import type { Issue, IssueCode, LoyaltyError } from '../../sdk/index.ts';
import { errorTexts, issueTexts } from '../texts/en/errors.ts';
import type { IssueTexts } from '../texts/texts.ts';

/** An error of the service in words: what was refused, and what to do about it. */
export function errorText(error: LoyaltyError): string {
  const known = error.issues.flatMap(({ code, params }) => textOf(code, params ?? {}) ?? []);
  if (known.length > 0) return [...new Set(known)].join(' ');
  const code = Object.entries(errorTexts).find(([name]) => name === error.code)?.[1];
  return code ?? error.message;
}

function textOf(code: IssueCode, params: NonNullable<Issue['params']>): string | undefined {
  const texts: IssueTexts = issueTexts;
  const text = texts[code];
  return typeof text === 'function' ? text(params) : text;
}
