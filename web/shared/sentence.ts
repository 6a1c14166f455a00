import type { components } from '../../sdk/index.ts';
import { explanationTexts } from '../texts/en/explanation.ts';

/** What the service says of an explanation: which sentence it is, and its values. */
export type CodedSentence = components['schemas']['CodedSentence'];

/** Who reads it: the customer, of whose points it tells, or the merchant. */
export type Reader = 'customer' | 'merchant';

export type SentenceParams = {
  [Sentence in CodedSentence as Sentence['code']]: Sentence['params'];
};

/** Writes a sentence of an explanation for whoever reads it. */
export function sentence<Code extends keyof SentenceParams>(
  { code, params }: { code: Code; params: SentenceParams[Code] },
  to: Reader,
): string {
  return explanationTexts[code](params, to);
}

export type ExplanationTexts = {
  [Code in keyof SentenceParams]: (params: SentenceParams[Code], to: Reader) => string;
};
