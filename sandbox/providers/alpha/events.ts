import { createHmac } from 'node:crypto';
import type { Random } from '../shared/random.ts';
import type { Payment, Refund, SentEvent } from './model.ts';

/** Signs a webhook: base64 of HMAC-SHA256 over the URL and the body. */
export function signWebhook(message: {
  signatureKey: string;
  notificationUrl: string;
  body: string;
}): string {
  return createHmac('sha256', message.signatureKey)
    .update(message.notificationUrl + message.body, 'utf8')
    .digest('base64');
}

type Subject = { merchantId: string; random: Random; now: Date };

/** Builds an undelivered event with the payment in its present state. */
export function paymentEvent(
  type: 'payment.created' | 'payment.updated',
  payment: Payment,
  subject: Subject,
): SentEvent {
  return newEvent(type, { type: 'payment', id: payment.id, object: { payment } }, subject);
}

/** Builds an undelivered event with the refund as given. */
export function refundEvent(
  type: 'refund.created' | 'refund.updated',
  refund: Refund,
  subject: Subject,
): SentEvent {
  return newEvent(type, { type: 'refund', id: refund.id, object: { refund } }, subject);
}

/** Builds the undelivered event that says who revoked the consent. */
export function revocationEvent(
  revokerType: 'MERCHANT' | 'APPLICATION',
  subject: Subject,
): SentEvent {
  const revocation = { revoked_at: subject.now.toISOString(), revoker_type: revokerType };
  const data = { type: 'revocation', id: subject.random.uuid(), object: { revocation } };
  return newEvent('oauth.authorization.revoked', data, subject);
}

type EventData = {
  type: string;
  id: string;
  object:
    | { payment: Payment }
    | { refund: Refund }
    | { revocation: { revoked_at: string; revoker_type: string } };
};

function newEvent(type: string, data: EventData, { merchantId, random, now }: Subject): SentEvent {
  const id = random.uuid();
  const created_at = now.toISOString();
  const body = JSON.stringify({ merchant_id: merchantId, type, event_id: id, created_at, data });
  return { id, type, merchantId, objectId: data.id, body, attempts: 0, state: 'pending' };
}
