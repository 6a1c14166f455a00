import { ConfigSchema } from '../config.ts';
import * as users from '../db/users/operations.ts';
import { UserId } from '../domain/ids.ts';
import { mailAddress } from '../domain/mail-address.ts';
import { maskContacts } from '../domain/privacy.ts';
import { type Command, type Done, describeTable, onlyArgument, UsageError } from './command.ts';

const AdminDomain = ConfigSchema.pick({ ADMIN_EMAIL_DOMAIN: true });

export const suspend: Command = {
  usage: 'suspend EMAIL',
  summary: 'Suspends a user, who is refused from now on, and cancels their open codes',
  run: ({ args, db, settings, operator }) => {
    // Asked for only where an administrator is to be suspended.
    const adminEmailDomain = () => settings(AdminDomain).ADMIN_EMAIL_DOMAIN;
    const act = { ...users.byOps(operator), adminEmailDomain };
    return change(args, (user) => users.suspend(db, user, act));
  },
};

export const reinstate: Command = {
  usage: 'reinstate EMAIL',
  summary: 'Lifts a suspension: the user has the status from before again',
  run: ({ args, db, operator }) =>
    change(args, (user) => users.reinstate(db, user, users.byOps(operator))),
};

export const grantAdmin: Command = {
  usage: 'grant-admin EMAIL',
  summary: 'Makes a user with a verified e-mail in ADMIN_EMAIL_DOMAIN an administrator',
  run: ({ args, db, settings, operator }) => {
    const { ADMIN_EMAIL_DOMAIN: domain } = settings(AdminDomain);
    return change(args, (user) => users.grantAdmin(db, user, domain, users.byOps(operator)));
  },
};

async function change(
  args: readonly string[],
  work: (user: users.UserKey) => ReturnType<typeof users.suspend>,
): Promise<Done> {
  const changed = await work(parseUserKey(onlyArgument(args, 'EMAIL')));
  const data = changed.map(({ id, email, role, status }) => {
    const masked = maskContacts({ email, phone: null });
    return { userId: id, email: masked.email, role, status };
  });
  const rows = data.map(({ userId, email, role, status }) => [userId, email, role, status]);
  return { data, text: describeTable(['USER', 'E-MAIL', 'ROLE', 'STATUS'], rows) };
}

/** Identifies a user by e-mail, or by id when several users share an e-mail. */
function parseUserKey(argument: string): users.UserKey {
  const id = UserId.safeParse(argument);
  if (id.success) return { id: id.data };
  const email = mailAddress(argument);
  if (email === null) throw new UsageError(`${argument} is neither an e-mail nor a user id.`);
  return { email };
}
