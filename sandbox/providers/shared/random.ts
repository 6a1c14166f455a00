const ID_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789';

/**
 * A repeatable random sequence (mulberry32): the same seed gives the same sequence.
 *
 * `state` is its whole state, so that a restart continues the sequence and no id is given twice.
 * Never use it for secrets.
 */
export class Random {
  state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** Returns an integer from 0 up to but not including 2³². */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** Returns the prefix followed by `length` capital letters and digits. */
  id(prefix: string, length = 16): string {
    let text = prefix;
    for (let n = 0; n < length; n++) text += ID_ALPHABET[this.next() % ID_ALPHABET.length];
    return text;
  }

  /** Returns a UUID of version 4. */
  uuid(): string {
    const bytes = Buffer.alloc(16);
    for (let at = 0; at < 16; at += 4) bytes.writeUInt32BE(this.next(), at);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    const hex = bytes.toString('hex');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }
}
