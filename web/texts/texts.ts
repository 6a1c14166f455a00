import type { components, ErrorCode, Issue, IssueCode } from '../../sdk/index.ts';

/**
 * The shape of a language's texts, by the English ones: the same names, with other words. What a
 * language lacks does not compile.
 */
export type Texts<English> = English extends string
  ? string
  : English extends (...values: infer Values) => infer Said
    ? (...values: Values) => Texts<Said>
    : { readonly [Name in keyof English]: Texts<English[Name]> };

type Params = NonNullable<Issue['params']>;

/** What people can do about an error, by its code. */
export type IssueTexts = Partial<Record<IssueCode, string | ((params: Params) => string)>>;
export type ErrorTexts = Partial<Record<ErrorCode | 'CANCELLED', string>>;

/** What the service says of an explanation: which sentence it is, and its values. */
export type CodedSentence = components['schemas']['CodedSentence'];

/** Who reads it: the customer, of whose points it tells, or the merchant. */
export type Reader = 'customer' | 'merchant';

export type SentenceParams = {
  [Sentence in CodedSentence as Sentence['code']]: Sentence['params'];
};
export type ExplanationTexts = {
  [Code in keyof SentenceParams]: (params: SentenceParams[Code], to: Reader) => string;
};
