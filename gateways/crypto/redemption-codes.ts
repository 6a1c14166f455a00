import { createHmac, randomBytes } from 'node:crypto';
import type { RedemptionId, TenantId } from '../../domain/ids.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { createSealer, createSubkeys, type Key } from './sealer.ts';

/** The redemption that a code belongs to. Its sealed copy can be opened only for this owner. */
export type CodeOwner = { id: RedemptionId; tenantId: TenantId };

/** A code and its stored forms. The code itself is never stored. */
export type NewCode = {
  code: string;
  keyId: string;
  hmac: Buffer;
  /** The HMACs under every key, to detect the same code stored under an older key. */
  hmacs: Buffer[];
  sealed: Sealed;
};

export type RedemptionCodes = {
  /** Makes a code of 6 random bytes in upper-case hexadecimal. It may already be in use. */
  make(owner: CodeOwner): NewCode;
  /** The HMACs of a normalised code, one for each key of the ring, to look it up. */
  hmacsOf(code: string): Buffer[];
  /** Opens a sealed copy. Throws when it was altered or belongs to another redemption. */
  open(sealed: Sealed, owner: CodeOwner): string;
  /** Seals and hashes a sealed code again under the first key. Throws as `open` does. */
  renew(sealed: Sealed, owner: CodeOwner): NewCode;
};

const CODE_BYTES = 6;

/** Makes, looks up and opens codes with separate keys derived from the ring of ENCRYPTION_KEY. */
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
