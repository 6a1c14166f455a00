import { expect, it } from 'vitest';
import { secondsUntilNext } from '../../domain/webhook-retries.ts';

it('a delivery is tried ten times, over three days', () => {
  const waits = Array.from({ length: 10 }, (_, step) => secondsUntilNext(step));
  expect(waits.at(-1)).toBeNull();
  const sum = waits.reduce<number>((total, wait) => total + (wait ?? 0), 0);
  expect(sum / 86_400).toBeGreaterThan(3);
  expect(sum / 86_400).toBeLessThan(4);
});
