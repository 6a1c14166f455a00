import { Refusal } from '../../domain/errors.ts';
import { STORED_LOGO_TYPE } from '../../gateways/objects/logo-image.ts';
import type { ApiSettings } from '../http/deps.ts';
import { reply } from '../http/replies.ts';
import { route } from '../http/route.ts';

/** Names are given once, so what is behind one never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Returns the public address of a stored object. */
export function objectUrl({ objectsUrl }: ApiSettings, name: string): string {
  return `${objectsUrl}/${name}`;
}

/** Returns the public address of a tenant's logo, or null when it has none. */
export function logoUrl(settings: ApiSettings, path: string | null) {
  return path === null ? null : objectUrl(settings, path);
}

export const showObject = route({
  method: 'GET',
  path: '/objects/:objectName',
  root: true,
  access: 'public',
  tag: 'Service',
  summary: 'A stored picture',
  refusals: ['NOT_FOUND'],
  produces: STORED_LOGO_TYPE,

  async handle({ params, objects }) {
    const bytes = await objects.get(params.objectName);
    if (bytes === undefined) throw new Refusal('NOT_FOUND', 'There is no such object.');
    return reply({
      body: bytes,
      headers: {
        'Content-Type': STORED_LOGO_TYPE,
        'Cache-Control': FOR_EVER,
        ETag: `"${params.objectName}"`,
        // Shown by pages of other origins, which is what it is for.
        'Cross-Origin-Resource-Policy': 'cross-origin',
      },
    });
  },
});
