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
