import type { ApiSettings } from '../http/deps.ts';

/** Returns the public address of a stored object. */
export function objectUrl({ objectsUrl }: ApiSettings, name: string): string {
  return `${objectsUrl}/${name}`;
}
