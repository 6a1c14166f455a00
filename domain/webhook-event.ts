import { z } from 'zod';

/** What a tenant's own systems can be told of. */
export const EVENT_TYPES = [
  'points.credited',
  'points.reversed',
  'points.adjusted',
  'points.expired',
  'redemption.issued',
  'redemption.used',
  'redemption.expired',
  'connection.active',
  'connection.lost',
  'connection.gap',
  'operator.joined',
  'rule.published',
  'tier.changed',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
export const EventTypeSchema = z.enum(EVENT_TYPES).meta({ id: 'EventType' });

/** Sent on request, to one endpoint, whatever types it asks for. */
export const TEST_EVENT = 'endpoint.test';

/** What an event tells, by the names that its receivers read. */
export type EventData = Readonly<Record<string, string | number | boolean | null>>;

/** The types that an endpoint asks for: at least one of them. */
export const EventTypes = z
  .array(EventTypeSchema)
  .min(1)
  .max(EVENT_TYPES.length)
  .refine((types) => new Set(types).size === types.length, 'must name each type once')
  .meta({ uniqueItems: true });

/** Builds the body of a message: the same text for each attempt, since all of them sign it. */
export function messageBody(event: { type: string; occurredAt: Date; data: EventData }): string {
  const { type, occurredAt, data } = event;
  return JSON.stringify({ type, timestamp: occurredAt.toISOString(), data });
}
