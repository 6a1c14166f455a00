import { z } from 'zod';
import * as subscriptions from '../../db/notices/push-subscriptions.ts';
import { Refusal } from '../../domain/errors.ts';
import { PushSubscriptionId } from '../../domain/ids.ts';
import { route } from '../http/route.ts';
import { requirePublic } from '../resources/endpoint.ts';

const endpoint = 'https://push.example/subscriptions/3f9a';
const id = '018bcfe5-6800-7cde-8a3b-0f2d1c4b5a69';
const keys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

const addPushSubscription = route({
  method: 'POST',
  path: '/auth/me/push-subscriptions',
  access: 'active-user',
  scopes: ['wallet'],
  tag: 'Auth',
  summary: 'Have a browser told of points and of codes',
  description:
    'Takes what `PushManager.subscribe` made with the `pushKey` of `GET /auth/me/notices`. The ' +
    'browser is told of the points that its person chose to be told of, and of codes that were ' +
    'used; what it was for before ends. A person may have ten, of which the oldest goes.',
  refusals: ['NOT_FOUND'],
  issues: ['address_not_public'],
  body: z.object({
    endpoint: z
      .string()
      .max(1_024)
      .regex(/^[!-~]+$/)
      .describe('Of the browser’s push service: https, at a public address.'),
    keys: z
      .object({
        p256dh: z
          .string()
          .regex(/^B[\w-]{86}$/)
          .describe('The public key of the browser, in base64url.'),
        auth: z
          .string()
          .regex(/^[\w-]{22}$/)
          .describe('The secret of the browser, in base64url.'),
      })
      .describe('For which what is sent there is encrypted.'),
  }),
  response: z
    .object({ id: PushSubscriptionId.describe('By which it is removed.') })
    .meta({ id: 'AddedPushSubscription' }),
  examples: { body: { endpoint, keys }, response: { id } },

  async handle({ user, db, body, settings: { pushKey, webhooksAllowLoopback } }) {
    if (pushKey === undefined) {
      throw new Refusal('NOT_FOUND', 'This service tells no browsers.');
    }
    requirePublic(body.endpoint, webhooksAllowLoopback, 'endpoint');
    const added = await db.transaction((tx) =>
      subscriptions.add(tx, user.id, { endpoint: body.endpoint, ...body.keys }),
    );
    if (added === undefined) throw new Refusal('NOT_FOUND', 'You were erased.');
    return { id: added };
  },
});

const removePushSubscription = route({
  method: 'DELETE',
  path: '/auth/me/push-subscriptions/:pushSubscriptionId',
  access: 'active-user',
  scopes: ['wallet'],
  tag: 'Auth',
  summary: 'Have a browser told of nothing any more',
  refusals: ['NOT_FOUND'],
  response: z.object({ ok: z.literal(true) }).meta({ id: 'RemovedPushSubscription' }),
  examples: { response: { ok: true } },

  async handle({ user, db, params: { pushSubscriptionId } }) {
    const own = { id: pushSubscriptionId, userId: user.id };
    if (await subscriptions.remove(db, own)) return { ok: true } as const;
    throw new Refusal('NOT_FOUND', 'No browser of yours has this id.');
  },
});

/** What phones are told, by the names of the operations. */
export const pushSubscriptions = { addPushSubscription, removePushSubscription };
