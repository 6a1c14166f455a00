import { expect, it } from 'vitest';
import { ROOT } from '../sabotage/patches.ts';
import { readRecipe, whyNotApplicable } from './recipe.ts';

const gamma = readRecipe('gamma');
const parts = (isNew: boolean) => gamma.parts.filter((part) => part.isNew === isNew);

it('gamma applies to the sources as they are', () => {
  expect(whyNotApplicable(gamma, ROOT)).toBeUndefined();
});

it('a third provider touches ten files at most, and brings its own folders', () => {
  expect(new Set(parts(false).map(({ file }) => file)).size).toBeLessThanOrEqual(10);
  const ours = /^(gateways|sandbox|test\/gateways)\/providers\/gamma\/|^migrations\/\d+_gamma\.ts$/;
  expect(parts(true).filter(({ file }) => !ours.test(file))).toEqual([]);
});

it('gamma names the tests that catch what is forgotten', () => {
  expect(gamma.catchers.length).toBeGreaterThan(1);
});
