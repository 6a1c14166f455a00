import { type ReactNode, useState } from 'react';
import { Button } from '../shared/ui/basics.tsx';
import { FormDialog } from '../shared/ui/dialog.tsx';
import { LongTextField } from '../shared/ui/fields.tsx';
import { type Attempt, useSubmit } from '../shared/use-submit.ts';
import { officeTexts } from '../texts/en/office.ts';

const MAX_REASON_LENGTH = 500;

/** The input of a command that may have a reason. */
export type WithReason = { reason?: string };

/**
 * A button that first asks, with room for a reason if it may have one, and then does something to
 * somebody once.
 */
export function Command<Input>(props: {
  open: string;
  title: string;
  submit: string;
  isDangerous?: boolean;
  /** Whether it cannot be sent as it stands. */
  isDisabled?: boolean;
  /** What tells the button apart from others of the same words. */
  label?: string;
  /** Whether it has one; by default it may. */
  reason?: 'optional' | 'required' | 'none';
  /** What goes with the reason. */
  input: Input;
  send(input: Input & WithReason, attempt: Attempt): Promise<unknown>;
  changes: readonly (readonly unknown[])[];
  onDone(): void;
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const { isDangerous = false, isDisabled = false, submit } = props;
  const isRequired = props.reason === 'required';
  const command = useSubmit({
    send: props.send,
    changes: props.changes,
    onDone: () => {
      setOpen(false);
      setReason('');
      props.onDone();
    },
  });
  const given = reason.trim() === '' ? {} : { reason: reason.trim() };
  return (
    <>
      <Button
        kind={isDangerous ? 'danger' : 'plain'}
        aria-label={props.label}
        onClick={() => {
          command.reset();
          setOpen(true);
        }}
      >
        {props.open}
      </Button>
      <FormDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={props.title}
        submit={submit}
        kind={isDangerous ? 'danger' : 'primary'}
        isDisabled={isDisabled}
        command={command}
        onSubmit={() => command.submit({ ...props.input, ...given })}
      >
        {props.children}
        {props.reason !== 'none' && (
          <LongTextField
            label={isRequired ? officeTexts.reason : officeTexts.reasonOptional}
            hint={officeTexts.reasonHint}
            required={isRequired}
            maxLength={MAX_REASON_LENGTH}
            value={reason}
            onText={setReason}
          />
        )}
      </FormDialog>
    </>
  );
}
