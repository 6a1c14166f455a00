import { expect, it } from 'vitest';
import { MESSAGE_DATA } from '../../domain/webhook-data.ts';
import { EVENT_TYPES, TEST_EVENT } from '../../domain/webhook-event.ts';

it('every type has a schema of what it tells', () => {
  expect(Object.keys(MESSAGE_DATA)).toEqual([...EVENT_TYPES, TEST_EVENT]);
});

it('names, contacts and codes are in none of them', () => {
  const names = Object.values(MESSAGE_DATA).flatMap(({ shape }) => Object.keys(shape));
  expect(names.filter((name) => /email|phone|name|code/i.test(name))).toEqual([]);
});
