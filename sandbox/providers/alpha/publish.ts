import type { Change, SentEvent } from './model.ts';
import type { World } from './world.ts';

/**
 * Makes the changes and sends their events: one write, so that neither is found without the other.
 *
 * A merchant without a token for payments has no one to tell: its events are
 * noted in the journal as withheld, and not kept.
 */
export function publish(
  world: World,
  merchantId: string,
  changes: readonly Change[],
  events: readonly SentEvent[],
): void {
  for (const change of changes) {
    if (change.kind !== 'payment') continue;
    world.visibility.supersede(world.store.payments.get(change.value.id)?.value);
  }
  const tokens = [...world.store.tokens.values()];
  const mayBeTold = tokens.some(
    (token) =>
      token.merchantId === merchantId &&
      !token.consentRevoked &&
      token.scopes.includes('PAYMENTS_READ'),
  );
  writeAndSend(world, changes, mayBeTold ? events : []);
  for (const { id: eventId, type, objectId } of mayBeTold ? [] : events) {
    const at = world.now().toISOString();
    const note = 'No token of this merchant carries PAYMENTS_READ: connect it first.';
    world.journal.add({
      kind: 'delivery',
      at,
      eventId,
      type,
      merchantId,
      objectId,
      attempt: 0,
      outcome: 'withheld',
      note,
    });
  }
}

/** Makes the changes and sends their events, in one write, whoever may see them. */
export function writeAndSend(
  world: World,
  changes: readonly Change[],
  events: readonly SentEvent[],
): void {
  const decorated = events.map((event) => world.decorate(event));
  world.store.write(...changes, ...decorated.map((value) => ({ kind: 'event' as const, value })));
  world.send(decorated);
}
