/** How many items are before the first one that is shown, in the same list as read later. */
export function newsIn(
  later: readonly { id: string }[],
  shown: readonly { id: string }[] | undefined,
): number {
  if (shown === undefined) return 0;
  const known = new Set(shown.map(({ id }) => id));
  const first = later.findIndex(({ id }) => known.has(id));
  return first === -1 ? later.length : first;
}

/** What is shown, where it is: each as it was read later, if it was. */
export function latestOf<Item extends { id: string }>(
  later: readonly Item[],
  shown: readonly Item[] | undefined,
): Item[] | undefined {
  const byId = new Map(later.map((item) => [item.id, item]));
  return shown?.map((item) => byId.get(item.id) ?? item);
}
