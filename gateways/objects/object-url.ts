/** Returns the public address of a stored object, or null when there is none. */
export function objectUrl(objectsUrl: string, name: string | null): string | null {
  return name === null ? null : `${objectsUrl}/${name}`;
}
