import { expect, it } from 'vitest';
import { objectUrl } from '../../../gateways/objects/object-url.ts';

it('is below the public address, and null for no object', () => {
  expect(objectUrl('https://cdn.shop.example/logos', 'a.webp')).toBe(
    'https://cdn.shop.example/logos/a.webp',
  );
  expect(objectUrl('https://cdn.shop.example/logos', null)).toBeNull();
});
