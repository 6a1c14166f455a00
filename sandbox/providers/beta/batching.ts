import type { Message, Update } from './model.ts';

/** How messages that come close together are put into one. */
export type Batching = {
  /** How long the first one waits for others. */
  windowMs: number;
  /** Puts several merchants into one body, as the provider may. */
  acrossMerchants?: boolean | undefined;
  /** Turns the updates of a body around. */
  reversed?: boolean | undefined;
};

/**
 * Merges messages, per merchant or altogether: the first of each group takes the updates of all.
 *
 * Returns every message that has changed by it; those that were merged are not to be sent.
 */
export function merge(messages: readonly Message[], batching: Batching): Message[] {
  const groups = new Map<string, Message[]>();
  for (const message of messages) {
    const group = batching.acrossMerchants ? '' : Object.keys(message.merchants).join(',');
    groups.set(group, [...(groups.get(group) ?? []), message]);
  }
  return [...groups.values()].flatMap(([head, ...others]) => {
    if (head === undefined) return [];
    const merchants: Record<string, Update[]> = {};
    for (const message of [head, ...others]) {
      for (const [merchantId, updates] of Object.entries(message.merchants)) {
        merchants[merchantId] = [...(merchants[merchantId] ?? []), ...updates];
      }
    }
    if (batching.reversed) for (const updates of Object.values(merchants)) updates.reverse();
    return [
      { ...head, merchants },
      ...others.map((message) => ({ ...message, state: 'merged' as const })),
    ];
  });
}
