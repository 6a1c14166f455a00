import { Refusal } from '../../domain/errors.ts';
import { STORED_LOGO_TYPE } from '../../gateways/objects/logo-image.ts';
import { reply } from '../http/replies/reply.ts';
import { route } from '../http/route.ts';

/** Names are never reused, so the object of a name never changes. */
const CACHE_FOREVER = 'public, max-age=31536000, immutable';

export const showObject = route({
  method: 'GET',
  path: '/objects/:objectName',
  root: true,
  access: 'public',
  tag: 'Service',
  summary: 'Get a stored picture',
  refusals: ['NOT_FOUND'],
  produces: STORED_LOGO_TYPE,

  async handle({ params, objects }) {
    const bytes = await objects.get(params.objectName);
    if (bytes === undefined)
      throw new Refusal('NOT_FOUND', 'There is no picture at this address. Check the address.');
    return reply({
      body: bytes,
      headers: {
        'Content-Type': STORED_LOGO_TYPE,
        'Cache-Control': CACHE_FOREVER,
        ETag: `"${params.objectName}"`,
        // Pages of other origins show it, which is its purpose.
        'Cross-Origin-Resource-Policy': 'cross-origin',
      },
    });
  },
});
