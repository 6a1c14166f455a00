import { expect, it } from 'vitest';
import { alphaOrigin } from '../../../../gateways/providers/alpha/client.ts';

it.each([
  { environment: 'sandbox', is: 'https://connect.squareupsandbox.com' },
  { environment: 'production', is: 'https://connect.squareup.com' },
  { environment: 'sandbox', origin: 'http://127.0.0.1:4200', is: 'http://127.0.0.1:4200' },
] as const)('the origin of $environment is $is', ({ is, ...at }) => {
  expect(alphaOrigin(at)).toBe(is);
});
