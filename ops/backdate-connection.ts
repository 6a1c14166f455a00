import * as tenures from '../db/connections/tenures.ts';
import { ConnectionId } from '../domain/ids.ts';
import { type Command, onlyArgument, parseId, timeOver } from './command.ts';
import { requireSandbox } from './sandbox-only.ts';

export const backdateConnection: Command = {
  usage: 'backdate-connection CONNECTION --to TIME',
  options: ['to'],
  summary: 'Has sales since a time that is over earn at a connection, in a sandbox',
  async run(call) {
    const id = parseId(ConnectionId, onlyArgument(call.args, 'CONNECTION'), 'CONNECTION');
    const to = timeOver('--to', call.options.to);
    requireSandbox(call);
    const earnsFrom = await tenures.backdate(call.db, id, to);
    if (earnsFrom === undefined) {
      throw new Error(
        'There is no such connection, it is not active, or another tenant had its account then.',
      );
    }
    const since = earnsFrom.toISOString();
    return { data: { earnsFrom: since }, text: `Sales since ${since} earn there now.\n` };
  },
};
