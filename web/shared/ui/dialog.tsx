import { Dialog as Base } from '@base-ui/react/dialog';
import type { FormEvent, ReactNode } from 'react';
import { commonTexts } from '../../texts/common.ts';
import { Button, ErrorNotice } from './basics.tsx';

/** What lies above the page until it is closed: by its button, by Escape, by a click beside it. */
export function Dialog(props: {
  isOpen: boolean;
  onClose(): void;
  title: string;
  children: ReactNode;
}) {
  return (
    <Base.Root open={props.isOpen} onOpenChange={(isOpen) => !isOpen && props.onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className="dialog">
          <Base.Title className="dialog-title">{props.title}</Base.Title>
          {props.children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
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
