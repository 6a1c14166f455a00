import { expect, it } from 'vitest';
import { newId, newIds } from '../../db/new-id.ts';

it('ascends, and tells when it was made', () => {
  const before = Date.now();
  const ids = Array.from({ length: 1_000 }, newId);
  const after = Date.now();
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const madeAt = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
    expect(madeAt).toBeGreaterThanOrEqual(before);
    expect(madeAt).toBeLessThanOrEqual(after + 1);
  }
});

it('makes several in their order', () => {
  const ids = newIds(3);
  expect([...new Set(ids)].sort()).toEqual(ids);
  expect(newIds(0)).toEqual([]);
});
