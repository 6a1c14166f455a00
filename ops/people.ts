import * as users from '../db/users/operations.ts';
import { UserId } from '../domain/ids.ts';
import { mailAddress } from '../domain/mail-address.ts';
import { maskContacts } from '../domain/privacy.ts';
import { type Command, type Done, describeTable, onlyArgument, UsageError } from './command.ts';

export const suspend: Command = {
  usage: 'suspend EMAIL',
  summary: 'Refuses every request of the person from now on',
  run: ({ args, db }) => change(args, (who) => users.suspend(db, who)),
};

export const reinstate: Command = {
  usage: 'reinstate EMAIL',
  summary: 'Lifts a suspension; a merchant without a workspace waits for approval again',
  run: ({ args, db }) => change(args, (who) => users.reinstate(db, who)),
};

export const grantAdmin: Command = {
  usage: 'grant-admin EMAIL',
  summary: 'Makes an administrator of somebody with a verified e-mail in the domain of admins',
  run: ({ args, db, config }) =>
    change(args, (who) => users.grantAdmin(db, who, config().ADMIN_EMAIL_DOMAIN)),
};

async function change(
  args: readonly string[],
  work: (who: users.UserKey) => ReturnType<typeof users.suspend>,
): Promise<Done> {
  const changed = await work(whoOf(onlyArgument(args, 'EMAIL')));
  const data = changed.map(({ id, email, role, status }) => {
    const masked = maskContacts({ email, phone: null });
    return { userId: id, email: masked.email, role, status };
  });
  const rows = data.map(({ userId, email, role, status }) => [userId, email, role, status]);
  return { data, text: describeTable(['USER', 'E-MAIL', 'ROLE', 'STATUS'], rows) };
}

/** People are named by their e-mail; of several with one e-mail one is named by the id. */
function whoOf(argument: string): users.UserKey {
  const id = UserId.safeParse(argument);
  if (id.success) return { id: id.data };
  const email = mailAddress(argument);
  if (email === null) throw new UsageError(`${argument} is no e-mail address and no user's id.`);
  return { email };
}
