import { isLoyaltyError } from '../../../sdk/index.ts';
import { CommandNotice, Notice } from './basics.tsx';
import { TextField } from './fields.tsx';

type Command = Parameters<typeof CommandNotice>[0]['command'] & { error: unknown };

/** The field for the number of a member's card, and what was wrong with the last one. */
export function MemberField(props: {
  label: string;
  hint?: string;
  /** Said of a number that nobody has. */
  unknown: string;
  value: string;
  onText(text: string): void;
  command: Command;
}) {
  const { unknown, command, ...field } = props;
  const { error } = command;
  return (
    <>
      <TextField {...field} inputMode="numeric" autoComplete="off" maxLength={30} required />
      {isLoyaltyError(error) && error.status === 404 ? (
        <Notice kind="bad">{unknown}</Notice>
      ) : (
        <CommandNotice command={command} />
      )}
    </>
  );
}
