import type { RefundPolicy } from '../../../domain/refund.ts';
import { createSealer, createSubkeys, type Key } from '../../../gateways/crypto/sealer.ts';

export type IngestPolicy = {
  refunds: RefundPolicy;
  /** Recognises a contact without storing it: one HMAC per key, the current key's first. */
  fingerprints(contact: string): readonly [Buffer, ...Buffer[]];
};

/** Builds the policy from the service's configuration. */
export function createIngestPolicy(refunds: RefundPolicy, ring: readonly Key[]): IngestPolicy {
  const sealer = createSealer(createSubkeys(ring, 'contact fingerprints'));
  return { refunds, fingerprints: sealer.fingerprints };
}
