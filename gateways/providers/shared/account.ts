import { z } from 'zod';
import { Country } from '../../../domain/country.ts';
import { Currency } from '../../../domain/currency.ts';

/** A merchant's account as its provider describes it; null where the provider does not say. */
export type Account = {
  name: string | null;
  currency: string | null;
  /** ISO 3166 alpha-2. */
  country?: string | null;
};

const MAX_NAME = 120;

/** A name that people chose, as one line of at most 120 characters; null when nothing is left. */
export const AccountName = z
  .string()
  .nullish()
  .catch(null)
  .transform((name) => {
    const line = (name ?? '').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
    return [...line].slice(0, MAX_NAME).join('').trim() || null;
  });

/** A country that we know; null for anything else. */
export const AccountCountry = Country.nullable().catch(null);

/** A currency that we know; null for anything else. */
export const AccountCurrency = Currency.nullable().catch(null);
