import { type FormEvent, lazy, type ReactNode, Suspense, useState } from 'react';
import { commonTexts } from '../../texts/en/common.ts';
import { useSlow } from '../use-slow.ts';
import type { Command } from '../use-submit.ts';
import { Button, ErrorNotice, StillTrying } from './basics.tsx';
import type { ModalProps } from './modal.tsx';

const Modal = lazy(() => import('./modal.tsx'));

/** What lies above the page until it is closed: by its buttons, by Escape, by a click beside it. */
export function Dialog(props: ModalProps) {
  const [hasOpened, setHasOpened] = useState(false);
  if (props.isOpen && !hasOpened) setHasOpened(true);
  if (!hasOpened) return null;
  return (
    <Suspense>
      <Modal {...props} />
    </Suspense>
  );
}

type EndProps = {
  submit: string;
  /** What closes it without doing anything; by default "Cancel". */
  close?: string;
  kind?: 'primary' | 'danger' | 'brand';
  isDisabled?: boolean;
  command: Command;
  onClose(): void;
};

/** The end of a dialog that asks for something: how it went, and its two buttons. */
export function DialogEnd(props: EndProps) {
  const { command, onClose, close = commonTexts.cancel } = props;
  const isSlow = useSlow(command.isRunning);
  return (
    <>
      {isSlow ? <StillTrying /> : <ErrorNotice error={command.error} />}
      <div className="actions">
        <Button onClick={isSlow ? command.cancel : onClose}>
          {isSlow ? commonTexts.cancel : close}
        </Button>
        <Button
          type="submit"
          kind={props.kind ?? 'primary'}
          isRunning={command.isRunning}
          disabled={props.isDisabled}
        >
          {props.submit}
        </Button>
      </div>
    </>
  );
}

/** A dialog that asks for something and then does it, once. It stays open while it fails. */
export function FormDialog(
  props: EndProps & { isOpen: boolean; title: string; onSubmit(): void; children?: ReactNode },
) {
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    props.onSubmit();
  };
  return (
    <Dialog isOpen={props.isOpen} onClose={props.onClose} title={props.title}>
      <form onSubmit={onSubmit} className="form">
        {props.children}
        <DialogEnd {...props} />
      </form>
    </Dialog>
  );
}
