import type { OpenEvent } from '../../db/events/webhook-events.ts';
import type { NormalizedPayment } from '../../domain/payment.ts';
import { readAlphaReport } from '../../gateways/alpha/payloads.ts';
import { readBetaUpdates } from '../../gateways/beta/webhooks.ts';

/** What a stored event says by itself. */
export type EventReading =
  | { kind: 'payments'; payments: readonly NormalizedPayment[] }
  /** It names payments that have to be fetched from the provider. */
  | { kind: 'ask' }
  /** The merchant revoked our access to its account. */
  | { kind: 'revoked'; merchantId: string; revokedAt: Date }
  | { kind: 'ignored'; reason: string };

/** Reads an event in its provider's format. Throws InvalidPayload. */
export function readEvent(event: Pick<OpenEvent, 'provider' | 'body'>): EventReading {
  if (event.provider === 'beta') {
    const { paymentIds, orderIds } = readBetaUpdates(event.body);
    const isAbout = paymentIds.length + orderIds.length > 0;
    return isAbout ? { kind: 'ask' } : { kind: 'ignored', reason: 'not_a_payment' };
  }
  const reading = readAlphaReport(event.body);
  switch (reading.kind) {
    case 'payment':
      return { kind: 'payments', payments: [reading.payment] };
    case 'refund':
      return { kind: 'ask' };
    case 'revoked':
      return reading;
    case 'other':
      return { kind: 'ignored', reason: 'not_a_payment' };
  }
}
