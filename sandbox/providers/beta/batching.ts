import type { Message, Update } from './model.ts';

/** How messages that follow each other closely are merged into one. */
export type Batching = {
  /** How long the first message waits for others. */
  windowMs: number;
  /** Merges messages of several merchants into one body, as the provider may. */
  acrossMerchants?: boolean | undefined;
  /** Reverses the order of the updates in a body. */
  reversed?: boolean | undefined;
};

/**
 * Merges messages, per merchant or all together, into the first message of each group.
 *
 * Returns every message that changed; those in state `merged` must not be sent.
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
