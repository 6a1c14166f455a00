import { commonTexts } from '../texts/en/common.ts';
import { number } from './format.ts';

/** A number of points, with the word. */
export function pointsText(count: number): string {
  return commonTexts.points(count, number(count));
}
