import { z } from 'zod';
import type { ApiSettings } from '../http/deps.ts';
import { objectUrl } from './picture.ts';

/** A color as six digits, which are read in either case and shown in lower case. */
export const Color = z
  .string()
  .regex(/^#[0-9A-Fa-f]{6}$/, 'must be # and six hexadecimal digits')
  .overwrite((text) => text.toLowerCase());

/** How a shop is told from others at a glance. */
export const BrandingSchema = z.object({
  logoUrl: z.url().nullable().describe('The address of the logo; null without one.'),
  color: z
    .string()
    .nullable()
    .describe('As `#rrggbb`; null without one. Apps keep the contrast of what they show in it.'),
});

export const brandingExample = { logoUrl: null, color: '#7a1f3d' };

/** Builds the branding of a tenant. */
export function brandingOf(
  settings: ApiSettings,
  { logoPath, color }: { logoPath: string | null; color: string | null },
) {
  return { logoUrl: logoPath === null ? null : objectUrl(settings, logoPath), color };
}
