import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brandOf, contrast, rgbOf } from '../../web/shared/brand.ts';
import { required } from '../support/factories.ts';

const colors = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);
/** The colors of a value for both schemes, the light one first. */
const both = (value: string) => {
  const [light, dark] = [...value.matchAll(/#\w{6}/g)].map(([hex]) => rgbOf(hex));
  return [required(light), required(dark)] as const;
};
/** What words stand on in the light and in the dark. */
const LIGHT = ['#ffffff', '#f7f5f1', '#f0ede7'].map(rgbOf);
const DARK = ['#0f1415', '#171d1f', '#232b2e'].map(rgbOf);

describe('brandOf', () => {
  it('is readable for every color, in the light and in the dark', () => {
    fc.assert(
      fc.property(colors, (color) => {
        const { ground, onGround, ink } = brandOf(color);
        for (const [nth, pages] of [LIGHT, DARK].entries()) {
          const of = (value: string) => required(both(value)[nth]);
          for (const page of pages) {
            expect(contrast(of(ink), page)).toBeGreaterThanOrEqual(4.5);
            expect(contrast(of(ground), page)).toBeGreaterThanOrEqual(3);
          }
          expect(contrast(of(onGround), of(ground))).toBeGreaterThanOrEqual(4.5);
        }
      }),
    );
  });

  it.each([
    ['#7a1f3d', 'light-dark(#7a1f3d, #a26277)'],
    ['#ffd400', 'light-dark(#9e8300, #ffd400)'],
  ])('leaves %s as it is where it can be seen', (color, ground) => {
    expect(brandOf(color).ground).toBe(ground);
  });
});
