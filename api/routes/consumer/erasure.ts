import { z } from 'zod';
import * as erasures from '../../../db/users/erasures.ts';
import { ERASED_AFTER_HOURS, requireErasable } from '../../../domain/erasure.ts';
import { Refusal } from '../../../domain/errors.ts';
import { type ActingRequest, actingBy } from '../../http/access/acting.ts';
import { reply } from '../../http/replies/reply.ts';
import { route } from '../../http/route.ts';
import {
  ErasureSchema,
  erasureAnswerOf,
  erasureExample,
  WithdrawnErasure,
  withdrawnAnswerOf,
  withdrawnExample,
} from '../../resources/erasure.ts';

const askedBy = (request: ActingRequest): erasures.Asking => ({
  userId: request.user.id,
  acting: actingBy(request),
  reason: null,
});

export const requestErasure = route({
  method: 'POST',
  path: '/consumer/erasure',
  access: 'WALLET_VIEW_OWN',
  programme: true,
  status: 202,
  otherStatuses: { 200: 'It was asked for already.' },
  idempotent: true,
  tag: 'Consumer',
  summary: 'Have everything erased that says who you are',
  description:
    `It begins in ${ERASED_AFTER_HOURS} hours, and can be withdrawn until then: verified ` +
    'addresses are told at once. Your points and codes end with it, at all shops. Whoever works ' +
    'at a till, or did in the last 90 days, asks support.',
  refusals: ['RULE_REJECTED'],
  issues: ['not_erasable'],
  body: z.object({ confirm: z.literal('ERASE').describe('So that nobody does it by mistake.') }),
  response: ErasureSchema,
  examples: { body: { confirm: 'ERASE' }, response: erasureExample },

  async handle({ tx, ...request }) {
    requireErasable(await erasures.lockErasable(tx, request.user.id), 'person');
    const asked = await erasures.request(tx, { ...askedBy(request), points: 0 });
    return reply({ status: asked.isNew ? 202 : 200, body: erasureAnswerOf(asked.erasure) });
  },
});

export const showErasure = route({
  method: 'GET',
  path: '/consumer/erasure',
  access: 'WALLET_VIEW_OWN',
  tag: 'Consumer',
  summary: 'Show when you will be erased',
  refusals: ['NOT_FOUND'],
  response: ErasureSchema,
  examples: { response: erasureExample },

  async handle({ user, db }) {
    const erasure = await erasures.find(db, user.id);
    if (erasure !== undefined) return erasureAnswerOf(erasure);
    throw new Refusal('NOT_FOUND', 'No erasure is scheduled.');
  },
});

export const withdrawErasure = route({
  method: 'DELETE',
  path: '/consumer/erasure',
  access: 'WALLET_VIEW_OWN',
  tag: 'Consumer',
  summary: 'Withdraw your erasure, until it begins',
  description: 'Also one that an administrator asked for. Verified addresses are told.',
  refusals: ['NOT_FOUND'],
  response: WithdrawnErasure,
  examples: { response: withdrawnExample },

  async handle({ db, ...request }) {
    return withdrawnAnswerOf(await db.transaction((tx) => erasures.withdraw(tx, askedBy(request))));
  },
});
