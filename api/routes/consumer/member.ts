import { MOST_ROTATIONS, numberOf, rotate } from '../../../db/users/members.ts';
import { HttpRefusal } from '../../http/replies/errors.ts';
import { route } from '../../http/route.ts';
import { MemberCard, memberCardExample, memberCardOf } from '../../resources/member.ts';

const AGAIN_SECONDS = 3_600;

export const showMemberCard = route({
  method: 'GET',
  path: '/consumer/member',
  access: 'WALLET_VIEW_OWN',
  programme: true,
  tag: 'Consumer',
  summary: 'Show your member number',
  description:
    'By it staff recognise you at the till of any shop. It is made when it is first read.',
  response: MemberCard,
  examples: { response: memberCardExample },

  async handle({ user, db }) {
    return memberCardOf(await numberOf(db, user.id));
  },
});

export const rotateMemberNumber = route({
  method: 'POST',
  path: '/consumer/member/rotate',
  access: 'WALLET_VIEW_OWN',
  programme: true,
  idempotent: true,
  sealed: true,
  tag: 'Consumer',
  summary: 'Replace your member number',
  description: `The one before ends at once. At most ${MOST_ROTATIONS} times in 24 hours.`,
  refusals: ['RATE_LIMITED'],
  issues: ['too_many_rotations'],
  response: MemberCard,
  examples: { response: memberCardExample },

  async handle({ user, tx }) {
    const number = await rotate(tx, user.id);
    if (number !== undefined) return memberCardOf(number);
    const message = `It was replaced ${MOST_ROTATIONS} times in 24 hours. Try again later.`;
    throw new HttpRefusal('RATE_LIMITED', message, 429, {
      headers: { 'Retry-After': String(AGAIN_SECONDS) },
      why: 'too_many_rotations',
    });
  },
});
