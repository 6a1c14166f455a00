import { type FormEvent, lazy, type ReactNode, Suspense, useState } from 'react';
import { commonTexts } from '../../texts/common.ts';
import { Button, ErrorNotice } from './basics.tsx';
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

/** A dialog that asks for something and then does it, once. It stays open while it fails. */
export function FormDialog(props: {
  isOpen: boolean;
  onClose(): void;
  title: string;
  submit: string;
  /** What closes it without doing anything; by default "Cancel". */
  close?: string;
  kind?: 'primary' | 'danger';
  isRunning: boolean;
  error: Error | null;
  onSubmit(): void;
  children?: ReactNode;
}) {
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    props.onSubmit();
  };
  return (
    <Dialog isOpen={props.isOpen} onClose={props.onClose} title={props.title}>
      <form onSubmit={onSubmit} className="form">
        {props.children}
        <ErrorNotice error={props.error} />
        <div className="actions">
          <Button onClick={props.onClose}>{props.close ?? commonTexts.cancel}</Button>
          <Button type="submit" kind={props.kind ?? 'primary'} isRunning={props.isRunning}>
            {props.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
