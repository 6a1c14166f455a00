import type { EndpointId } from '../../domain/ids.ts';
import type { Binding } from '../crypto/sealer.ts';

/** The owner of the sealed secrets of an endpoint. */
export function bindingOfSecret(endpointId: EndpointId): Binding {
  return ['webhook endpoint', endpointId];
}
