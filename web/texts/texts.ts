/**
 * The shape of a language's texts, by the English ones: the same names, with other words. What a
 * language lacks does not compile.
 */
export type Texts<English> = English extends string
  ? string
  : English extends (...values: infer Values) => infer Said
    ? (...values: Values) => Texts<Said>
    : { readonly [Name in keyof English]: Texts<English[Name]> };
