const PREFIX = 'loyalty.draft.';

/** Where this tab keeps what somebody is writing; another tab, or another person, has no part. */
export function draftKey(name: string, sub: string): string {
  return `${PREFIX}${name}.${sub}`;
}

/** Reads what was being written, if it has the fields of what is written there now. */
export function readKept<Draft extends object>(key: string, like: Draft): Draft | undefined {
  const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
  return isLike(kept, like) ? kept : undefined;
}

/** Forgets what was being written in this tab, but for what one person was writing. */
export function forgetDrafts(but?: string): void {
  const isTheirs = (key: string) => but !== undefined && key.endsWith(`.${but}`);
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX) && !isTheirs(key)) sessionStorage.removeItem(key);
  }
}

/** An earlier release of the page may have kept other fields. */
function isLike<Value>(kept: unknown, like: Value): kept is Value {
  if (typeof like !== 'object' || like === null) return typeof kept === typeof like;
  if (typeof kept !== 'object' || kept === null) return false;
  return Object.entries(like).every(([field, value]) => isLike(Reflect.get(kept, field), value));
}
