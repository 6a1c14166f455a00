import { PRINTED_WALKS, statementText } from '../db/ledger/verification/texts.ts';
import { type Command, onlyArgument, UsageError } from './command.ts';

export const printStatement: Command = {
  usage: 'sql NAME',
  summary: `Prints a statement of the verification for psql: ${PRINTED_WALKS.join(', ')}`,
  async run({ args, db }) {
    const name = onlyArgument(args, 'NAME');
    const walk = PRINTED_WALKS.find((each) => each === name);
    if (walk === undefined) throw new UsageError(`There is no statement ${name}.`);
    const sql = statementText(db, walk);
    return { data: { name, sql }, text: `${sql};\n` };
  },
};
