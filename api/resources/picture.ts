import type { ApiSettings } from '../http/deps.ts';

/** Returns the public address of a stored object. */
export function objectUrl({ objectsUrl }: ApiSettings, name: string): string {
  return `${objectsUrl}/${name}`;
}

/** Returns the public address of a tenant's logo, or null when it has none. */
export function logoUrl(settings: ApiSettings, path: string | null) {
  return path === null ? null : objectUrl(settings, path);
}
