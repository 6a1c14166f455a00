import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import * as auditLog from '../../../db/audit-log.ts';
import type { Db } from '../../../db/connection.ts';
import * as tenants from '../../../db/tenants/tenants.ts';
import { ObjectName, type TenantId } from '../../../domain/ids.ts';
import { LOGO_TYPES, STORED_LOGO_TYPE, storedLogo } from '../../../gateways/objects/logo-image.ts';
import { type ActingRequest, actingBy } from '../../http/access/acting.ts';
import type { Deps } from '../../http/deps.ts';
import { route } from '../../http/route.ts';
import { BrandingSchema, brandingExample, brandingOf, Color } from '../../resources/branding.ts';
import { objectUrl } from '../../resources/picture.ts';

/** 10 MiB of base64 text hold a picture of 7.5 MiB. */
const MAX_BASE64_LENGTH = 10 * 1024 * 1024;
/** Room for the JSON around the text. */
const ENVELOPE_BYTES = 4 * 1024;
/** Text, its bytes and the decoded picture are some 100 MB. */
const UPLOADS_AT_ONCE = 2;

/** Its length must be a multiple of 4 besides. */
const BASE64 = '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';

const LogoRequest = z.object({
  contentType: z.enum(LOGO_TYPES).describe('What the picture is encoded as.'),
  base64Data: z
    .string()
    .min(1)
    .max(MAX_BASE64_LENGTH)
    .refine(isBase64, 'must be base64 without line breaks or other characters')
    .describe('The picture in padded base64. It is decoded, scaled down and encoded again.')
    .meta({ override: { type: 'string', contentEncoding: 'base64', pattern: BASE64 } }),
});

/** One transparent pixel. */
const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ' +
  'AAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const uploadLogo = route({
  method: 'POST',
  path: '/client/tenants/:tenantId/branding/logo',
  access: 'TENANT_PROFILE_UPDATE',
  bodyLimit: MAX_BASE64_LENGTH + ENVELOPE_BYTES,
  atOnce: UPLOADS_AT_ONCE,
  tag: 'Merchant',
  summary: 'Upload the logo of the tenant',
  description:
    'A PNG, JPEG, WebP or GIF picture of at most 16 million pixels. It is stored as WebP of at ' +
    'most 512 pixels per side. The previous logo is deleted. A process takes two uploads at a ' +
    'time; 429 for more.',
  body: LogoRequest,
  response: z.object({ logoUrl: z.url().describe('The address of the new logo.') }),
  examples: {
    body: { contentType: 'image/png', base64Data: onePixel },
    response: {
      logoUrl: 'https://api.example.com/objects/5f0c6a1e9b7d4c3286a1d0e4f7b9c2a5.webp',
    },
  },

  async handle({ tenant, body, db, objects, log, settings, ...request }) {
    const bytes = await storedLogo(Buffer.from(body.base64Data, 'base64'), body.contentType);
    const name = ObjectName.parse(`${randomBytes(16).toString('hex')}.webp`);

    // An object without a reference does no harm; a reference without its object would be seen.
    await objects.put(name, { bytes, contentType: STORED_LOGO_TYPE });
    const logo = { part: 'logoPath', value: name } as const;
    const previous = await replace(db, { tenantId: tenant.id, ...logo, request });
    await deleteLogo(previous, { objects, log });
    return { logoUrl: objectUrl(settings, name) };
  },
});

export const removeLogo = route({
  method: 'DELETE',
  path: '/client/tenants/:tenantId/branding/logo',
  access: 'TENANT_PROFILE_UPDATE',
  tag: 'Merchant',
  summary: 'Remove the logo of the tenant',
  description: 'Without a logo, nothing changes.',
  response: z.object({ ok: z.literal(true) }),
  examples: { response: { ok: true } },

  async handle({ tenant, db, objects, log, ...request }) {
    const logo = { part: 'logoPath', value: null } as const;
    const previous = await replace(db, { tenantId: tenant.id, ...logo, request });
    await deleteLogo(previous, { objects, log });
    return { ok: true };
  },
});

export const updateBranding = route({
  method: 'PATCH',
  path: '/client/tenants/:tenantId/branding',
  access: 'TENANT_PROFILE_UPDATE',
  tag: 'Merchant',
  summary: 'Set the color of the tenant',
  description: 'Wallets, codes and mails of the shop have it. Null removes it.',
  body: z.object({ color: Color.nullable().describe('As `#rrggbb`.') }),
  response: z.object({ branding: BrandingSchema }),
  examples: { body: { color: '#7A1F3D' }, response: { branding: brandingExample } },

  async handle({ tenant, body: { color }, db, settings, ...request }) {
    await replace(db, { tenantId: tenant.id, part: 'color', value: color, request });
    return { branding: brandingOf(settings, { ...tenant, color }) };
  },
});

type Change = {
  tenantId: TenantId;
  part: 'logoPath' | 'color';
  value: string | null;
  request: ActingRequest;
};

/** Sets the logo or the color, or none, and records what it changes. Returns the previous one. */
async function replace(db: Db, { tenantId, part, value, request }: Change): Promise<string | null> {
  return db.transaction(async (tx) => {
    const previous = await tenants.setBranding(tx, tenantId, part, value);
    if (previous === value) return previous;
    const name = part === 'logoPath' ? 'logo' : part;
    await auditLog.insert(tx, {
      ...actingBy(request),
      action: actionOf(part, value),
      targetType: 'tenant',
      targetId: tenantId,
      tenantId,
      reason: null,
      before: { [name]: previous },
      after: { [name]: value },
    });
    return previous;
  });
}

function actionOf(part: Change['part'], value: string | null): auditLog.AuditAction {
  if (part === 'color') return 'tenant.update';
  return value === null ? 'logo.delete' : 'logo.update';
}

/** Whether the text is base64, by its characters and its length, before it is decoded. */
function isBase64(text: string): boolean {
  const digits = text.replace(/={1,2}$/, '');
  return text.length % 4 === 0 && digits.length > 0 && !/[^A-Za-z0-9+/]/.test(digits);
}

/** Deletes an object that no tenant uses any more. The request succeeds even if this fails. */
async function deleteLogo(
  path: string | null,
  { objects, log }: Pick<Deps, 'objects' | 'log'>,
): Promise<void> {
  if (path === null) return;
  await objects.delete(ObjectName.parse(path)).catch((error: unknown) => {
    log.warn(
      { event: 'logo_not_deleted', err: error, object: path },
      'A logo that is no longer used was not deleted; it stays in the object store',
    );
  });
}
