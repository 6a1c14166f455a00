import { z } from 'zod';
import * as programmes from '../../../db/tenants/programme.ts';
import { findByNumber } from '../../../db/users/members.ts';
import { Refusal } from '../../../domain/errors.ts';
import { readMemberNumber } from '../../../domain/member-number.ts';
import { initialsOf } from '../../../domain/privacy.ts';
import { countUnknown } from '../../http/access/code-guesses.ts';
import { route } from '../../http/route.ts';
import { memberCardExample } from '../../resources/member.ts';

const MAX_TYPED_LENGTH = 100;

/** A member number, as it was typed or scanned. */
const TypedMember = z
  .string()
  .max(MAX_TYPED_LENGTH)
  .transform((text, ctx) => {
    const number = readMemberNumber(text);
    if (number !== undefined) return number;
    ctx.addIssue({ code: 'custom', message: 'This is no member number. Look at each digit.' });
    return z.NEVER;
  })
  .describe('As it was typed or scanned: blanks and `LP1:` before it are ignored.');

export const lookupMember = route({
  method: 'POST',
  path: '/pos/members/lookup',
  access: 'REDEMPTION_VERIFY',
  shop: 'named',
  limit: 'lookups',
  programme: true,
  tag: 'Operator',
  summary: 'Look up a customer by the member number',
  description:
    'For shops whose programme lets staff attach a sale to a customer. An unknown number counts ' +
    'as an unknown code.',
  refusals: ['NOT_FOUND', 'FORBIDDEN'],
  issues: ['till_attach_off'],
  body: z.object({ member: TypedMember }),
  response: z.object({
    memberNumber: z.string().describe('As it is written on the card.'),
    initials: z.string().describe('Of the name, or else of the e-mail address; may be empty.'),
  }),
  examples: {
    body: { member: memberCardExample.qr },
    response: { memberNumber: memberCardExample.memberNumber, initials: 'AL' },
  },

  async handle({ body: { member: memberNumber }, tenant, user, db, afterwards }) {
    const programme = await programmes.findActive(db, tenant.id);
    if (programme?.tillAttach !== true) {
      const message = 'This shop does not attach sales to customers at the till.';
      throw new Refusal('FORBIDDEN', message, 'till_attach_off');
    }
    const found = await findByNumber(db, memberNumber);
    if (found !== undefined) return { memberNumber, initials: initialsOf(found) };
    const guess = { userId: user.id, tenantId: tenant.id, text: `member ${memberNumber}` };
    afterwards((deps) => countUnknown(deps, guess));
    throw new Refusal('NOT_FOUND', 'There is no such member. Ask the customer for the number.');
  },
});
