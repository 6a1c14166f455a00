import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether two texts are equal; the time it takes does not show how much they differ. */
export function isEqualInConstantTime(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
