import { createHmac, randomBytes } from 'node:crypto';
import type { RedemptionId, TenantId } from '../../domain/ids.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { createSealer, createSubkeys, type Key } from './sealer.ts';

/** What a code is bound to: its sealed copy opens nowhere else. */
export type CodeOwner = { id: RedemptionId; tenantId: TenantId };

/** A new code, and the forms in which it may be stored. */
export type NewCode = {
  code: string;
  keyId: string;
  hmac: Buffer;
  /** The HMACs under every key: a code that is stored under an older key is taken too. */
  hmacs: Buffer[];
  sealed: Sealed;
};

export type RedemptionCodes = {
  /** Makes a code from 6 random bytes, in upper-case hexadecimal. It may be taken already. */
  make(owner: CodeOwner): NewCode;
  /** The HMACs by which a normalised code may be stored, one for each key of the ring. */
  hmacsOf(code: string): Buffer[];
  /** The code of a sealed copy. Throws when it was altered or belongs to another redemption. */
  open(sealed: Sealed, owner: CodeOwner): string;
  /** The forms of a sealed code under the first key. Throws as `open` does. */
  renew(sealed: Sealed, owner: CodeOwner): NewCode;
};

const CODE_BYTES = 6;

/** Makes, finds and opens codes with keys of their own, derived from the ring of ENCRYPTION_KEY. */
export function createRedemptionCodes(
  ring: readonly Key[],
  random: (bytes: number) => Buffer = randomBytes,
): RedemptionCodes {
  const hmacKeys = createSubkeys(ring, 'code hmac');
  const sealer = createSealer(createSubkeys(ring, 'sealed codes'));
  const hmacOf = ({ key }: Key, code: string) => createHmac('sha256', key).update(code).digest();

  const formsOf = (code: string, owner: CodeOwner): NewCode => {
    const [current] = hmacKeys;
    if (current === undefined) throw new Error('The key ring is empty: set ENCRYPTION_KEY.');
    return {
      code,
      keyId: current.id,
      hmac: hmacOf(current, code),
      hmacs: hmacKeys.map((key) => hmacOf(key, code)),
      sealed: sealer.seal(code, bindingOf(owner)),
    };
  };

  return {
    make: (owner) => formsOf(random(CODE_BYTES).toString('hex').toUpperCase(), owner),
    renew: (sealed, owner) => formsOf(sealer.open(sealed, bindingOf(owner)), owner),
    hmacsOf: (code) => hmacKeys.map((key) => hmacOf(key, code)),
    open: (sealed, owner) => sealer.open(sealed, bindingOf(owner)),
  };
}

function bindingOf({ id, tenantId }: CodeOwner): string[] {
  return [tenantId, 'redemption', id];
}
