import { z } from 'zod';
import { InvalidPayload } from '../provider/error.ts';
import { jsonIn, readAs } from '../provider/json.ts';

// The bodies of beta's webhooks (the answers of its API are in beta-answers.ts).

const Update = z.object({ objectId: z.string().max(200), type: z.string().max(50) });
const Webhook = z.object({
  appId: z.string().nullish(),
  merchants: z
    .record(z.string().min(1).max(191), z.array(Update))
    .refine((merchants) => Object.keys(merchants).length > 0),
});
const Handshake = z.strictObject({ verificationCode: z.string().min(1).max(128) });

/** Enough for a handshake however it is spelt; more is not even parsed for somebody unknown. */
const MAX_HANDSHAKE_BYTES = 4096;

/** The code that beta wants to have back and told to a person; null when the body is anything else. */
export function readBetaHandshake(body: Buffer): string | null {
  if (body.length > MAX_HANDSHAKE_BYTES) return null;
  try {
    const { data } = Handshake.safeParse(jsonIn(body));
    return data?.verificationCode ?? null;
  } catch {
    return null;
  }
}

export type BetaWebhook = {
  appId: string | null;
  /** One or more: beta may put the updates of several merchants into one body. */
  merchantIds: [string, ...string[]];
  /** What the first update is about, such as `P:CREATE`; null when there is none. */
  type: string | null;
};

/** Whose updates they are, and of which app. Throws InvalidPayload when the body does not say. */
export function readBetaWebhook(body: Buffer): BetaWebhook {
  const { appId, merchants } = readAs(Webhook, jsonIn(body), 'beta');
  const [first, ...others] = Object.keys(merchants);
  if (first === undefined) throw new InvalidPayload('Not what beta sends: merchants.');
  const update = Object.values(merchants).flat()[0];
  return {
    appId: appId ?? null,
    merchantIds: [first, ...others],
    type: update === undefined ? null : `${keyAndId(update.objectId).key}:${update.type}`,
  };
}

export type BetaUpdates = {
  /** The payments that were made or changed, each once. */
  paymentIds: string[];
  /** The orders that changed, each once: somebody may have become known as their customer. */
  orderIds: string[];
};

/**
 * What of a stored body has to be asked for; nothing of either when it is about other things.
 * Throws InvalidPayload, also for a body of several merchants.
 */
export function readBetaUpdates(body: Buffer): BetaUpdates {
  const { merchants } = readAs(Webhook, jsonIn(body), 'beta');
  const [updates = [], ...others] = Object.values(merchants);
  if (others.length > 0) throw new InvalidPayload('The body is about several merchants.');
  const paymentIds = new Set<string>();
  const orderIds = new Set<string>();
  for (const { objectId, type } of updates) {
    const { key, id } = keyAndId(objectId);
    if (id === '') continue;
    if (key === 'P' && (type === 'CREATE' || type === 'UPDATE')) paymentIds.add(id);
    if (key === 'O' && type === 'UPDATE') orderIds.add(id);
  }
  return { paymentIds: [...paymentIds], orderIds: [...orderIds] };
}

function keyAndId(objectId: string): { key: string; id: string } {
  const colon = objectId.indexOf(':');
  if (colon < 0) return { key: objectId, id: '' };
  return { key: objectId.slice(0, colon), id: objectId.slice(colon + 1) };
}
