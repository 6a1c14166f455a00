import sharp from 'sharp';
import { Refusal } from '../../domain/errors.ts';

/** What a logo may be sent as. No SVG: it is a document that may hold a script. */
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

/** What a logo is stored as. */
export const STORED_LOGO_TYPE = 'image/webp';

/** Enough for a logo on any screen. */
const STORED_SIDE_PX = 512;
/** A small file may unpack to a huge picture; 4096 × 4096 takes 64 MiB of memory. */
const MAX_PIXELS = 4096 * 4096;
const TIMEOUT_SECONDS = 10;

const FORMATS: Record<LogoType, { format: string; signature: RegExp }> = {
  'image/png': { format: 'png', signature: /^\x89PNG\r\n/ },
  'image/jpeg': { format: 'jpeg', signature: /^\xff\xd8\xff/ },
  'image/webp': { format: 'webp', signature: /^RIFF.{4}WEBP/s },
  'image/gif': { format: 'gif', signature: /^GIF8[79]a/ },
};
const SIGNATURE_BYTES = 16;

/**
 * A logo as it is stored: decoded, at most 512 pixels wide and high, and encoded anew as WebP, so
 * that nothing but the picture is left of what was sent. Throws VALIDATION_ERROR for what is no
 * complete picture of the type it is said to be, or has too many pixels.
 */
export async function storedLogo(bytes: Buffer, type: LogoType): Promise<Buffer> {
  const { format, signature } = FORMATS[type];
  // Looked at before any decoder is: only the four that are wanted are ever reached.
  if (!signature.test(bytes.toString('latin1', 0, SIGNATURE_BYTES))) throw notA(type);
  const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'warning' });
  try {
    const metadata = await image.metadata();
    if (metadata.format !== format) throw notA(type);
    return await image
      .autoOrient()
      .resize(STORED_SIDE_PX, STORED_SIDE_PX, { fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .webp()
      .toBuffer();
  } catch {
    // The decoder's own words are about its insides.
    throw notA(type);
  }
}

function notA(type: LogoType): Refusal {
  return new Refusal(
    'VALIDATION_ERROR',
    `The data is no complete ${type} of at most ${MAX_PIXELS} pixels.`,
  );
}
