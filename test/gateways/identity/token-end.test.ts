import { afterAll, expect, it } from 'vitest';
import { acceptedUntil } from '../../../gateways/identity/token-end.ts';
import { startIssuer } from '../../support/people/issuer.ts';

const issuer = await startIssuer();
afterAll(() => issuer.close());

it.each(['Bearer ', 'bearer   '])('the expiry of the token, with the skew: %s', async (scheme) => {
  const token = await issuer.token({ sub: 'ada', exp: 1_768_471_200 });
  expect(acceptedUntil(`${scheme}${token} `)).toEqual(new Date(1_768_471_260_000));
});

it('throws without a token that has one', async () => {
  expect(() => acceptedUntil(undefined)).toThrow();
  const token = await issuer.token({ sub: 'ada', exp: undefined });
  expect(() => acceptedUntil(`Bearer ${token}`)).toThrow();
});
