import { z } from 'zod';
import { Country } from './country.ts';
import { Currency } from './currency.ts';
import { keysOf } from './keys-of.ts';
import { PROVIDERS } from './payment.ts';

const POS_PREFERENCES = [...PROVIDERS, 'other'] as const;

const MAX_NAME = 120;
const MAX_TEXT = 300;
const MAX_NOTES = 2_000;

/** Shown in mail subjects and on till screens, so it is one line. */
export const ShopName = z
  .string()
  .trim()
  .min(1)
  .max(MAX_NAME)
  .refine((name) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name), 'must be a single line')
  .describe('The name that consumers see.');
const posProviderPreference = z
  .enum(POS_PREFERENCES)
  .describe('The point-of-sale provider that the shop uses.');

const text = z.string().trim().max(MAX_TEXT);
const profile = {
  taxId: text.describe('The number under which the shop pays taxes.'),
  addressLine: text.describe('Street and number.'),
  city: text.describe('The place.'),
  alphaLocationHint: text.describe('Which of its places at alpha is meant.'),
  betaMerchantRef: text.describe('What beta calls the shop.'),
  otherPosNotes: z.string().trim().max(MAX_NOTES).describe('About another provider.'),
};

/** The business profile, as far as the merchant has filled it in. */
export const Onboarding = z
  .object({
    posProviderPreference: posProviderPreference.optional(),
    businessName: ShopName.optional(),
    country: Country.optional(),
    profile: z.object(profile).partial().optional().describe('More about the shop.'),
  })
  .meta({ id: 'Onboarding' });
export type Onboarding = z.infer<typeof Onboarding>;

/** An update of the profile: keys are merged one by one, and null removes a key. */
export const OnboardingPatch = z.object({
  posProviderPreference: posProviderPreference.nullable().optional(),
  businessName: ShopName.nullable().optional(),
  country: Country.nullable().optional(),
  currency: Currency.optional().describe(
    'Of the shop, while it is not known yet: connecting an account sets it as well.',
  ),
  profile: z
    .object({
      taxId: profile.taxId.nullable(),
      addressLine: profile.addressLine.nullable(),
      city: profile.city.nullable(),
      alphaLocationHint: profile.alphaLocationHint.nullable(),
      betaMerchantRef: profile.betaMerchantRef.nullable(),
      otherPosNotes: profile.otherPosNotes.nullable(),
    })
    .partial()
    .nullable()
    .optional()
    .describe('More about the shop, merged key by key.'),
});
export type OnboardingPatch = z.infer<typeof OnboardingPatch>;

/** What a merchant tells of a shop. */
export type ShopProfile = {
  name: string;
  country: string | null;
  currency: string | null;
  onboarding: Onboarding;
};

type State = Record<string, string | null>;

/**
 * What differs between two states of a shop, by name; undefined if nothing does. Of the profile,
 * which may hold addresses and tax numbers, only which of its keys changed.
 */
export function changesOf(
  before: ShopProfile,
  after: ShopProfile,
): { before: State; after: State } | undefined {
  const changes: { before: State; after: State } = { before: {}, after: {} };
  const [was, is] = [namedStateOf(before), namedStateOf(after)];
  for (const name of Object.keys(is)) {
    if (was[name] === is[name]) continue;
    changes.before[name] = was[name] ?? null;
    changes.after[name] = is[name] ?? null;
  }
  const [had, has] = [before.onboarding.profile ?? {}, after.onboarding.profile ?? {}];
  const keys = keysOf(profile).filter((key) => had[key] !== has[key]);
  if (keys.length > 0) changes.after.profile = keys.join(' ');
  return Object.keys(changes.after).length === 0 ? undefined : changes;
}

function namedStateOf({ name, country, currency, onboarding }: ShopProfile): State {
  const { businessName = null, posProviderPreference = null } = onboarding;
  return { name, businessName, country, currency, posProviderPreference };
}
