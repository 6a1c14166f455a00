import { z } from 'zod';
import * as adjusting from '../../../db/ledger/adjusted.ts';
import * as erasures from '../../../db/users/erasures.ts';
import { Reason, requireWithinLimit } from '../../../domain/adjustment.ts';
import { ERASED_AFTER_HOURS, requireErasable } from '../../../domain/erasure.ts';
import { Refusal } from '../../../domain/errors.ts';
import { actingBy } from '../../http/access/acting.ts';
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

export const eraseUser = route({
  method: 'POST',
  path: '/admin/users/:userId/erase',
  access: 'ADMIN_USER_MANAGE',
  programme: true,
  status: 202,
  otherStatuses: { 200: 'It was asked for already, by whomever.' },
  idempotent: true,
  tag: 'Admin',
  summary: 'Have a person erased: everything that says who they are',
  description:
    `It begins in ${ERASED_AFTER_HOURS} hours; until then the person, too, can withdraw it, and ` +
    'is told. Consumers and operators only. The points that they hold count to the limit of what ' +
    'an administrator may debit in 24 hours.',
  refusals: ['NOT_FOUND', 'FORBIDDEN', 'RULE_REJECTED'],
  issues: ['own_account', 'not_erasable', 'limit_per_day'],
  body: z.object({ reason: Reason.describe('Why; kept in the audit log.') }),
  response: ErasureSchema,
  examples: { body: { reason: 'Asked for in a letter.' }, response: erasureExample },

  async handle({ tx, params: { userId }, body: { reason }, settings, ...request }) {
    if (userId === request.user.id) {
      throw new Refusal(
        'FORBIDDEN',
        'This is your own account. Ask another administrator to erase it.',
        'own_account',
      );
    }
    // Before the user's lock, because it may wait for another request of this administrator.
    const adjusted = await adjusting.sumAdjusted(tx, request.user.id);
    const person = await erasures.lockErasable(tx, userId);
    const known = await erasures.find(tx, userId);
    if (known !== undefined) return reply({ status: 200, body: erasureAnswerOf(known) });
    requireErasable(person, 'admin');
    const points = await erasures.pointsOf(tx, userId);
    requireWithinLimit(-points, adjusted, settings.adjustLimitPerDay);
    const acting = actingBy(request);
    const { erasure } = await erasures.request(tx, { userId, acting, reason, points });
    return erasureAnswerOf(erasure);
  },
});

export const withdrawErasureOf = route({
  method: 'DELETE',
  path: '/admin/users/:userId/erase',
  access: 'ADMIN_USER_MANAGE',
  tag: 'Admin',
  summary: 'Withdraw the erasure of a person, until it begins',
  description: 'Also one that they asked for. They are told.',
  refusals: ['NOT_FOUND'],
  response: WithdrawnErasure,
  examples: { response: withdrawnExample },

  async handle({ db, params: { userId }, ...request }) {
    const asking = { userId, acting: actingBy(request), reason: null };
    return withdrawnAnswerOf(await db.transaction((tx) => erasures.withdraw(tx, asking)));
  },
});
