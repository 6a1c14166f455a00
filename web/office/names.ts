import type { Schema } from '../shared/client.tsx';
import { officeTexts } from '../texts/office.ts';

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

const countries = new Intl.DisplayNames('en', { type: 'region' });

/** The name of a country, such as Switzerland. */
export function countryOf(code: string | null): string {
  return code === null ? officeTexts.shops.unknown : (countries.of(code) ?? code);
}

const AGES = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const;

/** How long ago something was, in the largest unit that fits, such as 3 days. */
export function ageOf(iso: string): string {
  const passed = Date.now() - new Date(iso).getTime();
  const { unit, ms } = AGES.find((age) => passed >= age.ms) ?? AGES[2];
  const format = new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(Math.max(1, Math.floor(passed / ms)));
}
