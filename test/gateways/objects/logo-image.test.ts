import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { LOGO_TYPES, type LogoType, storedLogo } from '../../../gateways/objects/logo-image.ts';

const image = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#c41' } });

const encoded: Record<LogoType, (width?: number, height?: number) => Promise<Buffer>> = {
  'image/png': (width = 40, height = 20) => image(width, height).png().toBuffer(),
  'image/jpeg': (width = 40, height = 20) => image(width, height).jpeg().toBuffer(),
  'image/webp': (width = 40, height = 20) => image(width, height).webp().toBuffer(),
  'image/gif': (width = 40, height = 20) => image(width, height).gif().toBuffer(),
};

const refused = {
  code: 'VALIDATION_ERROR',
  message: expect.stringContaining('not a complete picture of type image/'),
};
const tooLarge = {
  code: 'VALIDATION_ERROR',
  message: 'The picture has more than 16777216 pixels. Send a smaller one.',
};

describe('storedLogo', () => {
  it.each(LOGO_TYPES)('converts %s to WebP', async (type) => {
    const stored = await storedLogo(await encoded[type](), type);
    expect(await sharp(stored).metadata()).toMatchObject({ format: 'webp', width: 40, height: 20 });
  });

  it('shrinks a large image in proportion', async () => {
    const large = await storedLogo(await encoded['image/png'](2000, 1000), 'image/png');
    expect(await sharp(large).metadata()).toMatchObject({ width: 512, height: 256 });
  });

  it('applies the orientation of the camera and removes all metadata', async () => {
    const taken = await image(40, 20)
      .withMetadata({ orientation: 6, exif: { IFD0: { Copyright: 'a secret place' } } })
      .jpeg()
      .toBuffer();
    expect(taken.includes('a secret place')).toBe(true);
    const stored = await storedLogo(taken, 'image/jpeg');
    expect(await sharp(stored).metadata()).toMatchObject({ width: 20, height: 40 });
    expect(stored.includes('a secret place')).toBe(false);
    expect((await sharp(stored).metadata()).exif).toBeUndefined();
  });

  it('removes data after the image', async () => {
    const bytes = Buffer.concat([await encoded['image/gif'](), Buffer.from('<script>1</script>')]);
    expect((await storedLogo(bytes, 'image/gif')).includes('script')).toBe(false);
  });

  it.each(LOGO_TYPES)('refuses %s declared as another type, and says what it is', async (type) => {
    const bytes = await encoded[type]();
    for (const other of LOGO_TYPES.filter((name) => name !== type)) {
      await expect(storedLogo(bytes, other)).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        message: `The data is ${type}, not ${other}. Send contentType as ${type}.`,
      });
    }
  });

  it.each(LOGO_TYPES)('refuses an SVG declared as %s', async (type) => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script/></svg>';
    await expect(storedLogo(Buffer.from(svg), type)).rejects.toMatchObject(refused);
  });

  it.each(['image/png', 'image/jpeg', 'image/webp'] as const)(
    'refuses a truncated %s',
    async (type) => {
      const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
      const image = sharp({
        create: { width: 200, height: 200, channels: 3, background: '#000', noise },
      });
      const format = type === 'image/png' ? 'png' : type === 'image/jpeg' ? 'jpeg' : 'webp';
      const whole = await image.toFormat(format).toBuffer();
      const half = whole.subarray(0, whole.length / 2);
      await expect(storedLogo(half, type)).rejects.toMatchObject(refused);
    },
  );

  it('refuses a small file with too many pixels', async () => {
    const bytes = await image(4097, 4096).png().toBuffer();
    expect(bytes.length).toBeLessThan(1_000_000);
    await expect(storedLogo(bytes, 'image/png')).rejects.toMatchObject(tooLarge);
  });

  it('refuses a header that claims 50,000 × 50,000 pixels', async () => {
    const bytes = await encoded['image/png']();
    bytes.writeUInt32BE(50_000, 16);
    bytes.writeUInt32BE(50_000, 20);
    await expect(storedLogo(bytes, 'image/png')).rejects.toMatchObject(tooLarge);
  });

  it('refuses an empty file', async () => {
    await expect(storedLogo(Buffer.alloc(0), 'image/png')).rejects.toMatchObject(refused);
  });
});
