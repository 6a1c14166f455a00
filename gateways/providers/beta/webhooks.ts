import { z } from 'zod';
import { InvalidPayload } from '../shared/error.ts';
import { parseAs, parseJson } from '../shared/json.ts';

// The bodies of beta's webhooks. The resources of its API are in resources.ts.

const Update = z.looseObject({ objectId: z.string().max(200), type: z.string().max(50) });
const Webhook = z.object({
  appId: z.string().nullish(),
  merchants: z
    .record(z.string().min(1).max(191), z.array(Update))
    .refine((merchants) => Object.keys(merchants).length > 0),
});
const Handshake = z.strictObject({ verificationCode: z.string().min(1).max(128) });

/** Enough for any handshake. The sender is not authenticated, so nothing larger is parsed. */
export const MAX_HANDSHAKE_BYTES = 4096;

/**
 * Reads the verification code of a handshake; null for any other body. Beta expects the
 * code in the response, and a person to copy it to beta's dashboard.
 */
export function readBetaHandshake(body: Buffer): string | null {
  if (body.length > MAX_HANDSHAKE_BYTES) return null;
  try {
    const { data } = Handshake.safeParse(parseJson(body));
    return data?.verificationCode ?? null;
  } catch {
    return null;
  }
}

export type BetaWebhook = {
  appId: string | null;
  /** At least one: a body may contain updates of several merchants. */
  merchantIds: [string, ...string[]];
  /** Object key and type of the first update, such as `P:CREATE`; null without updates. */
  type: string | null;
};

/** Reads the app and the merchants of a body. Throws InvalidPayload when it names no merchant. */
export function readBetaWebhook(body: Buffer): BetaWebhook {
  const { appId, merchants } = parseAs(Webhook, parseJson(body), 'beta');
  const [first, ...others] = Object.keys(merchants);
  if (first === undefined) throw new InvalidPayload('Invalid beta payload: merchants.');
  const update = Object.values(merchants).flat()[0];
  return {
    appId: appId ?? null,
    merchantIds: [first, ...others],
    type: update === undefined ? null : `${splitObjectId(update.objectId).key}:${update.type}`,
  };
}

/** The type of the events that the service stores itself, to have a listed payment fetched. */
export const LISTED_PAYMENT = 'payment.listed';

export type BetaUpdates = {
  /** Created or updated payments, without duplicates. */
  paymentIds: string[];
  /** Updated orders, without duplicates: a customer may have been added to them. */
  orderIds: string[];
};

/**
 * Lists the payments and orders to fetch for a stored body; both lists are empty when it is about
 * other objects. Throws InvalidPayload, also for a body with several merchants.
 */
export function readBetaUpdates(body: Buffer): BetaUpdates {
  const named = readNamed(body).objectIds.map(splitObjectId);
  const idsOf = (kind: string) => named.flatMap(({ key, id }) => (key === kind ? id : []));
  return { paymentIds: idsOf('P'), orderIds: idsOf('O') };
}

/**
 * Divides what a stored body has fetched among bodies with so many payments and orders each, in
 * their order: a sale and its order mostly stay together, and are then fetched once.
 */
export function splitBetaUpdates(body: Buffer, most: number): Buffer[] {
  const { merchantId, objectIds } = readNamed(body);
  const bodies: Buffer[] = [];
  for (let from = 0; from < objectIds.length; from += most) {
    bodies.push(bodyAbout(merchantId, objectIds.slice(from, from + most)));
  }
  return bodies;
}

/** Reads the payments and orders to fetch, each once. Throws InvalidPayload. */
function readNamed(body: Buffer): { merchantId: string; objectIds: string[] } {
  const { merchants } = parseAs(Webhook, parseJson(body), 'beta');
  const [[merchantId, updates] = ['', []], ...others] = Object.entries(merchants);
  if (others.length > 0) throw new InvalidPayload('The body contains several merchants.');
  const objectIds = updates.flatMap(({ objectId, type }) => {
    const { key, id } = splitObjectId(objectId);
    const isPayment = key === 'P' && (type === 'CREATE' || type === 'UPDATE');
    const isOrder = key === 'O' && type === 'UPDATE';
    return id !== '' && (isPayment || isOrder) ? objectId : [];
  });
  return { merchantId, objectIds: [...new Set(objectIds)] };
}

const AppUpdate = Update.extend({ ts: z.int().min(0).max(8.64e15) });

/**
 * Reads which merchant uninstalled the app, and when; null for a stored body that says nothing of
 * it, or that the app was installed again since.
 */
export function readBetaUninstall(body: Buffer): { merchantId: string; at: Date } | null {
  const { merchants } = parseAs(Webhook, parseJson(body), 'beta');
  const [[merchantId, updates] = ['', []]] = Object.entries(merchants);
  const last = updates.findLast(({ objectId }) => splitObjectId(objectId).key === 'A');
  const { success, data } = AppUpdate.safeParse(last);
  return success && data.type === 'DELETE' ? { merchantId, at: new Date(data.ts) } : null;
}

/** Builds the body of the event that has a payment fetched. */
export function listedPaymentBody(of: { merchantId: string; paymentId: string }): Buffer {
  return bodyAbout(of.merchantId, [`P:${of.paymentId}`]);
}

function bodyAbout(merchantId: string, objectIds: readonly string[]): Buffer {
  const updates = objectIds.map((objectId) => ({ objectId, type: 'UPDATE' }));
  return Buffer.from(JSON.stringify({ merchants: { [merchantId]: updates } }), 'utf8');
}

function splitObjectId(objectId: string): { key: string; id: string } {
  const colon = objectId.indexOf(':');
  if (colon < 0) return { key: objectId, id: '' };
  return { key: objectId.slice(0, colon), id: objectId.slice(colon + 1) };
}
