const ID_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789';

/**
 * Repeatable randomness (mulberry32): the same seed gives the same sequence.
 *
 * `state` is all there is to it, so that a restart can go on where it stopped
 * and no id is given twice. Nothing secret may depend on it.
 */
export class Random {
  state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A number from 0 up to, but not including, 2³². */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** A name of so many capital letters and digits, after the prefix. */
  id(prefix: string, length = 16): string {
    let text = prefix;
    for (let n = 0; n < length; n++) text += ID_ALPHABET[this.next() % ID_ALPHABET.length];
    return text;
  }

  /** A UUID of version 4. */
  uuid(): string {
    const bytes = Buffer.alloc(16);
    for (let at = 0; at < 16; at += 4) bytes.writeUInt32BE(this.next(), at);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    const hex = bytes.toString('hex');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }
}
