import { hexOf, randomHex } from '../shared/random.ts';

export const PIN_LENGTH = 4;
const MOST_ERRORS = 5;
/** The minutes after which a till can lock itself. */
export const IDLE_MINUTES = [1, 2, 5, 15] as const;
export type IdleMinutes = (typeof IDLE_MINUTES)[number];

/** As many rounds as OWASP asks of PBKDF2 with SHA-256: a guess takes as long as they do. */
const ROUNDS = 600_000;

type Stored = { salt: string; digest: string; errors: number; idleMinutes: IdleMinutes };

/** What unlocks the till of one person on this device. It signs nobody in. */
export type Pin = {
  /** The minutes without a touch after which the till locks; undefined without a PIN. */
  idleMinutes(): IdleMinutes | undefined;
  set(pin: string, idleMinutes: IdleMinutes): Promise<void>;
  remove(): void;
  /** How many tries are left after a wrong one; undefined if it was right. */
  errorsLeftAfter(pin: string): Promise<number | undefined>;
};

/** Opens the PIN of a person, which is kept on the device as long as they are signed in. */
export function pinOf(sub: string): Pin {
  // The session removes what ends like this when it ends.
  const key = `loyalty.till.pin.${sub}`;
  const read = () => parse(localStorage.getItem(key));
  const write = (stored: Stored) => localStorage.setItem(key, JSON.stringify(stored));
  return {
    idleMinutes: () => read()?.idleMinutes,
    async set(pin, idleMinutes) {
      const salt = randomHex(16);
      write({ salt, digest: await digestOf(pin, salt), errors: 0, idleMinutes });
    },
    remove: () => localStorage.removeItem(key),
    async errorsLeftAfter(pin) {
      const stored = read();
      if (stored === undefined) return undefined;
      // Counted before it is known: a page that is loaded again meanwhile wins no try.
      const errors = stored.errors + 1;
      write({ ...stored, errors });
      if (errors <= MOST_ERRORS && (await digestOf(pin, stored.salt)) === stored.digest) {
        write({ ...stored, errors: 0 });
        return undefined;
      }
      return Math.max(0, MOST_ERRORS - errors);
    },
  };
}

/** Whether this browser can keep a PIN: on pages without TLS it has no cryptography. */
export function canKeepPin(): boolean {
  return globalThis.crypto.subtle !== undefined;
}

async function digestOf(pin: string, salt: string): Promise<string> {
  const bytes = new TextEncoder();
  const key = await crypto.subtle.importKey('raw', bytes.encode(pin), 'PBKDF2', false, [
    'deriveBits',
  ]);
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt: bytes.encode(salt), iterations: ROUNDS };
  return hexOf(new Uint8Array(await crypto.subtle.deriveBits(how, key, 256)));
}

function parse(text: string | null): Stored | undefined {
  if (text === null) return undefined;
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const { salt, digest, errors, idleMinutes } = {
    salt: 0,
    digest: 0,
    errors: 0,
    idleMinutes: 0,
    ...value,
  };
  const idle = IDLE_MINUTES.find((minutes) => minutes === idleMinutes);
  if (typeof salt !== 'string' || typeof digest !== 'string') return undefined;
  if (typeof errors !== 'number' || idle === undefined) return undefined;
  return { salt, digest, errors, idleMinutes: idle };
}
