import type { Change, Message, Update } from './model.ts';
import type { World } from './world.ts';

/** An update of one object, such as `P` and its id, as of now. */
export function newUpdate(
  world: World,
  type: Update['type'],
  key: 'A' | 'C' | 'O' | 'P',
  id: string,
): Update {
  return { objectId: `${key}:${id}`, type, ts: world.now().getTime() };
}

/**
 * Makes the changes and sends their updates: one write, so that neither is found without the other.
 *
 * Only what the app has subscribed to is sent. A merchant that has not installed the app has no one
 * to tell: its updates are noted in the journal as withheld, and not kept.
 */
export function publish(
  world: World,
  merchantId: string,
  changes: readonly Change[],
  updates: readonly Update[],
): void {
  const { store, subscriptions } = world;
  const wanted = updates.filter(({ objectId }) =>
    subscriptions.has(objectId.split(':', 1)[0] ?? ''),
  );
  const installed = [...store.tokens.values()].some(
    (token) => token.merchantId === merchantId && !token.revoked,
  );
  const id = store.random.uuid();
  const message: Message = {
    id,
    merchants: { [merchantId]: wanted },
    attempts: 0,
    state: 'pending',
  };
  if (wanted.length === 0 || !installed) store.write(...changes);
  else store.write(...changes, { kind: 'message', value: message });

  if (wanted.length > 0 && installed) world.send([message]);
  if (wanted.length > 0 && !installed) {
    world.journal.add({
      kind: 'delivery',
      at: world.now().toISOString(),
      eventId: id,
      attempt: 0,
      ...describeMessage(message),
      outcome: 'withheld',
      note: 'This merchant has not installed the app: connect it first.',
    });
  }
}

/** What the journal says a message is about: all of its merchants, kinds and objects. */
export function describeMessage({ merchants }: Message) {
  const updates = Object.values(merchants).flat();
  const kinds = updates.map(({ objectId, type }) => `${objectId.split(':', 1)[0]}:${type}`);
  return {
    type: kinds.join(','),
    merchantId: Object.keys(merchants).join(','),
    objectId: updates.map(({ objectId }) => objectId).join(','),
  };
}
