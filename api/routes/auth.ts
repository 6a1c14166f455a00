import { z } from 'zod';
import { appliesProgrammes, type Db } from '../../db/connection.ts';
import { isNoted } from '../../db/due-work.ts';
import * as tenants from '../../db/tenants/tenants.ts';
import * as applications from '../../db/users/applications.ts';
import * as erasures from '../../db/users/erasures.ts';
import * as decisions from '../../db/users/invite-decisions.ts';
import { setLanguage } from '../../db/users/own-data.ts';
import type { User } from '../../db/users/users.ts';
import { denialCode } from '../../domain/account-status.ts';
import { Application, ApplicationFields } from '../../domain/application.ts';
import { Refusal } from '../../domain/errors.ts';
import { LANGUAGES } from '../../domain/language.ts';
import { ROLES, USER_STATUSES } from '../../domain/roles.ts';
import type { Deps } from '../http/deps.ts';
import { route } from '../http/route.ts';
import { ErasureSchema, erasureAnswerOf } from '../resources/erasure.ts';
import { inviteAnswerOf, PendingInviteSchema } from '../resources/invite.ts';

export const applicationExample: Application = {
  shopName: 'Corner Café',
  phone: '+1 212 555 0102',
  website: 'https://corner-cafe.example',
  reason: 'Our guests ask for a card that is not made of paper.',
};

const Profile = z
  .object({
    userId: z.uuid(),
    role: z.enum(ROLES),
    tenantIds: z
      .array(z.uuid())
      .describe('Shops: those that a merchant or operator works for, a consumer’s with a wallet.'),
    status: z.enum(USER_STATUSES).describe('Only active people may use more than this.'),
    canUseApp: z.boolean().describe('Whether anything but this may be asked for.'),
    needsMerchantOnboarding: z
      .boolean()
      .describe('Whether an active merchant has no shop yet, or one without a business name.'),
    email: z.string().meta({ description: 'Empty when the access token has none.' }),
    emailVerified: z.boolean().describe('Whether the identity provider has verified it.'),
    phone: z.string().nullable(),
    phoneVerified: z.boolean().describe('Whether the identity provider has verified it.'),
    language: z
      .enum(LANGUAGES)
      .nullable()
      .describe('In which mails are written. Null, for English, until it is known or chosen.'),
    isMatching: z
      .boolean()
      .describe('Whether earlier purchases with these contacts are still being looked for.'),
    pendingInvites: z
      .array(PendingInviteSchema)
      .describe('Shops that ask an active consumer or operator to work at their till.'),
    erasure: ErasureSchema.nullable().describe('Whether and when this person will be erased.'),
    hasProgrammes: z.boolean().describe('Whether shops may have programmes in this installation.'),
    application: Application.optional().describe(
      'What the person has said of the shop, while they ask to become a merchant.',
    ),
    code: z
      .enum(['SUSPENDED', 'ADMIN_EMAIL_REQUIRED', 'PENDING_APPROVAL'])
      .optional()
      .describe('Why the app cannot be used. Absent if it can.'),
  })
  .meta({ id: 'UserProfile' });

const example: z.input<typeof Profile> = {
  userId: '5b2f0d3e-0c1f-4f6e-9a3b-7f1d2c3e4a5b',
  role: 'client',
  tenantIds: [],
  status: 'pending_approval',
  canUseApp: false,
  needsMerchantOnboarding: false,
  email: 'merchant@shop.example',
  emailVerified: true,
  phone: null,
  phoneVerified: false,
  language: 'de',
  isMatching: false,
  pendingInvites: [],
  erasure: null,
  hasProgrammes: true,
  application: applicationExample,
  code: 'PENDING_APPROVAL',
};

export const showOwnProfile = route({
  method: 'GET',
  path: '/auth/me',
  access: 'any-token',
  tag: 'Auth',
  summary: 'Show the profile of the signed-in user',
  description:
    'Also works for people who may not use the service yet, or no longer; `code` then says why.',
  response: Profile,
  examples: { response: example },

  async handle({ user, ...deps }) {
    return profileOf(user, deps);
  },
});

export const updateOwnProfile = route({
  method: 'PATCH',
  path: '/auth/me',
  access: 'any-token',
  tag: 'Auth',
  summary: 'Choose the language of the signed-in user',
  description:
    'Mails come in it. Until it is chosen, it is the one in which the person signed in first.',
  body: z.object({ language: z.enum(LANGUAGES).describe('In which mails are to be written.') }),
  response: Profile,
  examples: { body: { language: 'de' }, response: example },

  async handle({ user, body: { language }, ...deps }) {
    await setLanguage(deps.db, user.id, language);
    return profileOf({ ...user, language }, deps);
  },
});

async function profileOf(user: User, { db, settings }: Pick<Deps, 'db' | 'settings'>) {
  const code = denialCode(user, settings.adminEmailDomain);
  const erasure = await erasures.find(db, user.id);
  const isWaiting = user.role === 'client' && user.status === 'pending_approval';
  const application = isWaiting ? await applications.find(db, user.id) : undefined;
  return {
    userId: user.id,
    role: user.role,
    tenantIds: user.tenantIds,
    status: user.status,
    canUseApp: code === undefined,
    needsMerchantOnboarding: await needsMerchantOnboarding(db, user),
    email: user.email ?? '',
    emailVerified: user.emailVerified,
    phone: user.phone,
    phoneVerified: user.phoneVerified,
    language: user.language,
    isMatching: await isNoted(db, 'match_signup', user.id),
    pendingInvites: (await decisions.listPending(db, user.id)).map(inviteAnswerOf),
    erasure: erasure === undefined ? null : erasureAnswerOf(erasure),
    hasProgrammes: appliesProgrammes(db),
    ...(application && { application }),
    ...(code && { code }),
  };
}

export const sendApplication = route({
  method: 'PUT',
  path: '/auth/me/application',
  access: 'any-token',
  idempotent: true,
  tag: 'Auth',
  summary: 'Say of which shop one asks to become the merchant',
  description:
    'For a client who waits for approval: administrators decide by it. It can be sent again, and ' +
    'takes the place of what was said before. `shopName` becomes the name of the shop.',
  refusals: ['FORBIDDEN'],
  body: ApplicationFields,
  response: Application,
  examples: { body: applicationExample, response: applicationExample },

  async handle({ user, tx, body }) {
    if (await applications.save(tx, user.id, body)) return body;
    throw new Refusal('FORBIDDEN', 'Only who waits to become a merchant applies for it.');
  },
});

async function needsMerchantOnboarding(db: Db, user: User): Promise<boolean> {
  if (user.role !== 'client' || user.status !== 'active') return false;
  return !(await tenants.hasBusinessName(db, user.tenantIds));
}
