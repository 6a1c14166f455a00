import sharp from 'sharp';
import { Refusal } from '../../domain/errors.ts';

/** Accepted types of an uploaded logo. No SVG, because it can contain scripts. */
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;
export type LogoType = (typeof LOGO_TYPES)[number];

/** The type of a stored logo. */
export const STORED_LOGO_TYPE = 'image/webp';

/** Enough for a logo on any screen. */
const STORED_SIDE_PX = 512;
/** A small file may decode to a huge image; 4096 × 4096 pixels take 64 MiB of memory. */
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
 * Converts an uploaded logo to a WebP of at most 512 × 512 pixels. Decoding and encoding it again
 * removes everything but the image. Throws VALIDATION_ERROR when the data is not a complete image
 * of the given type, or has too many pixels.
 */
export async function storedLogo(bytes: Buffer, type: LogoType): Promise<Buffer> {
  const { format, signature } = FORMATS[type];
  // Checked before decoding, so that only the decoders of the four accepted types are reached.
  const start = bytes.toString('latin1', 0, SIGNATURE_BYTES);
  if (!signature.test(start)) throw anotherType(type, start);
  // Only the header is read, whatever size it claims.
  const header = sharp(bytes, { limitInputPixels: false, failOn: 'warning' });
  const metadata = await header.metadata().catch(() => undefined);
  if (metadata?.format !== format) throw damaged(type);
  if (metadata.width * metadata.height > MAX_PIXELS) throw tooManyPixels();
  try {
    return await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'warning' })
      .autoOrient()
      .resize(STORED_SIDE_PX, STORED_SIDE_PX, { fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .webp()
      .toBuffer();
  } catch {
    // The decoder's own message would expose internals.
    throw damaged(type);
  }
}

function anotherType(said: LogoType, start: string): Refusal {
  const found = LOGO_TYPES.find((type) => FORMATS[type].signature.test(start));
  if (found === undefined) return damaged(said);
  const message = `The data is ${found}, not ${said}. Send contentType as ${found}.`;
  return new Refusal('VALIDATION_ERROR', message, 'invalid');
}

function damaged(type: LogoType): Refusal {
  const message = `The data is not a complete picture of type ${type}. Send another one.`;
  return new Refusal('VALIDATION_ERROR', message, 'invalid');
}

function tooManyPixels(): Refusal {
  const message = `The picture has more than ${MAX_PIXELS} pixels. Send a smaller one.`;
  return new Refusal('VALIDATION_ERROR', message, 'too_big');
}
