import { z } from 'zod';
import * as choices from '../../db/notices/choices.ts';
import { Refusal } from '../../domain/errors.ts';
import type { UserId } from '../../domain/ids.ts';
import { choiceWithout, type NoticeKind, POINT_NOTICES } from '../../domain/notices.ts';
import type { Deps } from '../http/deps.ts';
import { redirect } from '../http/replies/reply.ts';
import { route } from '../http/route.ts';

/** Of what somebody is told by mail. */
export const NoticeChoicesSchema = z
  .object({
    points: z
      .enum(POINT_NOTICES)
      .describe('Of which points a customer is mailed: their first at a shop, each, or none.'),
    weekly: z
      .boolean()
      .describe('Whether a merchant is mailed each Monday what the week was like.'),
    waiting: z
      .boolean()
      .describe('Whether an administrator is mailed when merchants wait for their answer.'),
  })
  .meta({ id: 'NoticeChoices' });

/** An example of choices. */
export const noticeChoicesExample = { points: 'first', weekly: true, waiting: true } as const;

const Notices = NoticeChoicesSchema.extend({
  pushKey: z
    .string()
    .nullable()
    .describe('With which a browser subscribes to be told of points; null where that is off.'),
}).meta({ id: 'Notices' });

const pushKey =
  'BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs';

type Shown = Pick<Deps, 'db' | 'settings'> & { user: { id: UserId } };

const own = {
  path: '/auth/me/notices',
  access: 'active-user',
  scopes: ['wallet', 'till', 'shop', 'admin'],
  tag: 'Auth',
  response: Notices,
  examples: { response: { ...noticeChoicesExample, pushKey } },
} as const;

const showNotices = route({
  ...own,
  method: 'GET',
  summary: 'Show of what the signed-in person is told by mail',
  description: 'What concerns another role than theirs does nothing.',

  handle: shown,
});

const changeNotices = route({
  ...own,
  method: 'PATCH',
  summary: 'Change of what the signed-in person is told by mail',
  description: 'What is left out stays. Codes, and what concerns security, are always mailed.',
  body: NoticeChoicesSchema.partial(),
  examples: { ...own.examples, body: { points: 'each' } },

  async handle({ body, ...request }) {
    await choices.change(request.db, request.user.id, body);
    return shown(request);
  },
});

async function shown({ user, db, settings }: Shown) {
  return { ...(await choices.find(db, user.id)), pushKey: settings.pushKey ?? null };
}

const link = {
  path: '/notices/stop',
  access: 'public',
  tag: 'Auth',
  query: z.object({ token: z.string().max(200).describe('What the link in the mail has.') }),
} as const;

const APPS: Record<NoticeKind, string> = { points: 'wallet', weekly: 'portal', waiting: 'office' };

/** A program that only looks at the links of a mail must not switch anything off. */
const openStopLink = route({
  ...link,
  method: 'GET',
  summary: 'Open the link in a mail that switches such mails off',
  description: 'Leads to the page that asks whether to. Nothing changes.',
  status: 302,
  produces: 'text/plain',
  refusals: ['NOT_FOUND'],
  examples: { query: { token: 'token' } },

  async handle({ query: { token }, stopLinks, settings: { frontendUrl } }) {
    const { kind } = stopped(stopLinks.read(token));
    const query = new URLSearchParams({ token });
    return redirect(`${frontendUrl}/${APPS[kind]}/stop?${query}`);
  },
});

const stopNotices = route({
  ...link,
  method: 'POST',
  summary: 'Switch off the mails of the kind in which a link was',
  description:
    'Needs no sign-in, and takes any body: mail programs send it by themselves (RFC 8058). ' +
    'Repeated, it changes nothing.',
  ignoresBody: 'of any type',
  refusals: ['NOT_FOUND'],
  response: z.object({ ok: z.literal(true) }).meta({ id: 'StoppedNotices' }),
  examples: { query: { token: 'token' }, response: { ok: true } },

  async handle({ query: { token }, stopLinks, db }) {
    const { userId, kind } = stopped(stopLinks.read(token));
    await choices.change(db, userId, choiceWithout(kind));
    return { ok: true } as const;
  },
});

function stopped<Link>(read: Link | undefined): Link {
  if (read !== undefined) return read;
  const message = 'This link is not one of ours. Open it from the mail again, or sign in.';
  throw new Refusal('NOT_FOUND', message);
}

/** What people are told by mail, by the names of the operations. */
export const notices = { showNotices, changeNotices, openStopLink, stopNotices };
