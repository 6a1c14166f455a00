/** What a language has to say where English says this: the same texts, of the same values. */
export type Texts<English> = English extends string
  ? string
  : English extends (...values: infer Values) => string
    ? (...values: Values) => string
    : { readonly [Key in keyof English]: Texts<English[Key]> };
