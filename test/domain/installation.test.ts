import { expect, it } from 'vitest';
import { installationOf } from '../../domain/installation.ts';

it.each([
  ['production', 'production'],
  ['sandbox', 'sandbox'],
  ['test', 'test'],
  // What is not known to be for trying is guarded like what is real.
  ['development', 'production'],
  ['', 'production'],
])('the processes of %j are for %s', (environment, installation) => {
  expect(installationOf(environment)).toBe(installation);
});
