import type { Change, SentEvent } from './model.ts';
import type { World } from './world.ts';

/**
 * Makes the changes and sends their events, in one write, so that neither exists alone.
 *
 * Events of a merchant without a token for payments have no recipient: they are noted in the
 * journal as withheld, and not stored.
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
  const canReceive = tokens.some(
    (token) =>
      token.merchantId === merchantId &&
      !token.consentRevoked &&
      token.scopes.includes('PAYMENTS_READ'),
  );
  writeAndSend(world, changes, canReceive ? events : []);
  for (const { id: eventId, type, objectId } of canReceive ? [] : events) {
    const at = world.now().toISOString();
    const note = 'No token of this merchant has the scope PAYMENTS_READ: connect it first.';
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

/** Makes the changes and sends their events, in one write, without looking at scopes. */
export function writeAndSend(
  world: World,
  changes: readonly Change[],
  events: readonly SentEvent[],
): void {
  const decorated = events.map((event) => world.decorate(event));
  world.store.write(...changes, ...decorated.map((value) => ({ kind: 'event' as const, value })));
  world.send(decorated);
}
