import type { Change, Message, Update } from './model.ts';
import type { World } from './world.ts';

/** Builds the update of one object, named by its key, such as `P`, and its id. */
export function newUpdate(
  world: World,
  type: Update['type'],
  key: 'A' | 'C' | 'O' | 'P',
  id: string,
): Update {
  return { objectId: `${key}:${id}`, type, ts: world.now().getTime() };
}

/**
 * Makes the changes and sends their updates, in one write, so that neither exists alone.
 *
 * The next message may be lost, as this provider loses some (`loseNext`): its changes are made.
 *
 * Only updates that the app subscribes to are sent. Those of a merchant that has not installed the
 * app have no recipient: they are noted in the journal as withheld, and not stored.
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
  if (wanted.length === 0) {
    store.write(...changes);
    return;
  }
  const isLost = installed && world.losesNext;
  if (isLost) world.losesNext = false;
  if (installed && !isLost) {
    store.write(...changes, { kind: 'message', value: message });
    world.send([message]);
  } else {
    store.write(...changes);
    world.journal.add({
      kind: 'delivery',
      at: world.now().toISOString(),
      eventId: id,
      attempt: 0,
      ...describeMessage(message),
      outcome: 'withheld',
      note: isLost
        ? 'This message was lost, as was asked for.'
        : 'This merchant has not installed the app: connect it first.',
    });
  }
}

/** Describes a message for the journal: all its merchants, kinds and objects. */
export function describeMessage({ merchants }: Message) {
  const updates = Object.values(merchants).flat();
  const kinds = updates.map(({ objectId, type }) => `${objectId.split(':', 1)[0]}:${type}`);
  return {
    type: kinds.join(','),
    merchantId: Object.keys(merchants).join(','),
    objectId: updates.map(({ objectId }) => objectId).join(','),
  };
}
