import { setImmediate as endOfTurn } from 'node:timers/promises';

/**
 * Returns a function that answers about one item; what is asked in the same turn of the event loop
 * is answered by one call of `answerAll`, whose answers are in the order of its items. What that
 * throws is thrown to all who asked with it.
 */
export function together<Item, Answer>(
  answerAll: (items: readonly Item[]) => Promise<readonly Answer[]>,
): (item: Item) => Promise<Answer> {
  let gathering: { items: Item[]; answers: Promise<readonly Answer[]> } | undefined;

  const gather = () => {
    const items: Item[] = [];
    const answers = endOfTurn().then(() => {
      gathering = undefined;
      return answerAll(items);
    });
    return { items, answers };
  };

  return async (item) => {
    gathering ??= gather();
    const { items, answers } = gathering;
    const at = items.push(item) - 1;
    const answer = (await answers)[at];
    if (answer === undefined) throw new Error('Something asked together has no answer.');
    return answer;
  };
}
