import type { EventId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import { ingestWorkflowId } from '../../workflows/ids.ts';
import { NAMESPACE } from '../environment.ts';
import type { Place } from './place.ts';

/**
 * The address of the run that ingested an event, in Temporal's UI; null when that is not here, or
 * there was no event. A run is named after the first event of its batch, which is this one unless
 * several came in the same moment.
 */
export function runUrlOf(
  { temporal }: Pick<Place, 'temporal'>,
  event: { id: EventId; provider: Provider } | undefined,
): string | null {
  if (temporal.uiUrl === undefined || event === undefined) return null;
  const run = encodeURIComponent(ingestWorkflowId(event.provider, event.id));
  return `${temporal.uiUrl}/namespaces/${NAMESPACE}/workflows/${run}`;
}
