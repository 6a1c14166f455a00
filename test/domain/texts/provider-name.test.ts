import { expect, it } from 'vitest';
import { providerName } from '../../../domain/texts/provider-name.ts';

it('is what people call a provider', () => {
  expect(['alpha', 'beta', ''].map(providerName)).toEqual(['Alpha', 'Beta', '']);
});
