import { explanationTexts } from '../texts/en/explanation.ts';
import type { Reader, SentenceParams } from '../texts/texts.ts';

/** Writes a sentence of an explanation for whoever reads it. */
export function sentence<Code extends keyof SentenceParams>(
  { code, params }: { code: Code; params: SentenceParams[Code] },
  to: Reader,
): string {
  return explanationTexts[code](params, to);
}
