import { describe, expect, it } from 'vitest';
import { changesOf, OnboardingPatch, type ShopProfile } from '../../domain/onboarding.ts';

describe('OnboardingPatch', () => {
  it.each(
    // biome-ignore format: a table
    [
      [{}, {}],
      [{ country: 'de' }, { country: 'DE' }],
      [{ businessName: '  Café  ' }, { businessName: 'Café' }],
      [{ posProviderPreference: 'other' }, { posProviderPreference: 'other' }],
      [{ profile: { city: ' Bern ', taxId: null } }, { profile: { city: 'Bern', taxId: null } }],
      [{ profile: null, country: null }, { profile: null, country: null }],
      [{ profile: { otherPosNotes: 'two\nlines' } }, { profile: { otherPosNotes: 'two\nlines' } }],
      [{ unknown: 1, profile: { unknown: 2 } }, { profile: {} }],
    ],
  )('parses %j as %j', (sent, patch) => {
    expect(OnboardingPatch.parse(sent)).toEqual(patch);
  });

  it.each([
    [{ posProviderPreference: 'gamma' }, 'an unknown provider'],
    [{ businessName: ' ' }, 'a blank name'],
    [{ businessName: 'Café\r\nBcc: x' }, 'a name of two lines'],
    [{ businessName: 'x'.repeat(121) }, 'a name that is too long'],
    [{ country: 'XX' }, 'a country that does not exist'],
    [{ profile: { city: 'x'.repeat(301) } }, 'a text that is too long'],
    [{ profile: { otherPosNotes: 'x'.repeat(2_001) } }, 'notes that are too long'],
    [{ profile: { city: 7 } }, 'a number instead of a text'],
    [{ profile: 'text' }, 'a text instead of an object'],
    [[], 'a list'],
  ])('%# rejects %j: %s', (sent, _) => {
    expect(OnboardingPatch.safeParse(sent).success).toBe(false);
  });
});

describe('changesOf', () => {
  const shop: ShopProfile = {
    name: 'Café',
    country: 'CH',
    currency: null,
    onboarding: { businessName: 'Café', profile: { city: 'Bern', taxId: '7' } },
  };

  it('is nothing where nothing changed', () => {
    expect(changesOf(shop, { ...shop, onboarding: { ...shop.onboarding } })).toBeUndefined();
  });

  it('names what changed, and no value of the profile', () => {
    const onboarding = { posProviderPreference: 'beta', profile: { city: 'Basel' } } as const;
    expect(changesOf(shop, { ...shop, currency: 'CHF', onboarding })).toEqual({
      before: { businessName: 'Café', currency: null, posProviderPreference: null },
      after: {
        businessName: null,
        currency: 'CHF',
        posProviderPreference: 'beta',
        profile: 'taxId city',
      },
    });
  });
});
