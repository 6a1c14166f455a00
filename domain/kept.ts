/**
 * Returns what was made for the same key before. Making a format takes a hundred times as long as
 * using it; there are as many as languages, currencies and time zones.
 */
export function kept<Key extends string[], T>(make: (...key: Key) => T): (...key: Key) => T {
  const made = new Map<string, T>();
  return (...key) => {
    const name = key.join(' ');
    const known = made.get(name) ?? make(...key);
    made.set(name, known);
    return known;
  };
}
