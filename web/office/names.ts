import type { Schema } from '../shared/client.tsx';
import { countryName } from '../shared/format.ts';
import { officeTexts } from '../texts/en/office.ts';

/** What a person is called: their e-mail address, or their phone number. */
export function nameOf({ email, phone }: Pick<Schema['FoundUser'], 'email' | 'phone'>): string {
  return email ?? phone ?? officeTexts.people.nameless;
}

/** How the state of an account is marked. */
export const STATUS_KINDS = {
  active: 'good',
  pending_approval: 'warn',
  suspended: 'bad',
} as const;

/** The name of a country, such as Switzerland. */
export function countryOf(code: string | null): string {
  return code === null ? officeTexts.shops.unknown : countryName(code);
}

/** So many people one search returns at most. */
export const SEARCH_MAX = 50;
