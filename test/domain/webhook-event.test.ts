import { expect, it } from 'vitest';
import { EVENT_TYPES, EventTypes, messageBody } from '../../domain/webhook-event.ts';

it('a filter names at least one type, and each once', () => {
  expect(EventTypes.safeParse([]).success).toBe(false);
  expect(EventTypes.safeParse(['points.credited', 'points.credited']).success).toBe(false);
  expect(EventTypes.safeParse(['endpoint.test']).success).toBe(false);
  expect(EventTypes.safeParse([...EVENT_TYPES]).success).toBe(true);
});

it('a message has its type, its time and its data', () => {
  const event = { type: 'rule.published', occurredAt: new Date(0), data: { version: 1 } };
  expect(messageBody(event)).toBe(
    '{"type":"rule.published","timestamp":"1970-01-01T00:00:00.000Z","data":{"version":1}}',
  );
});
