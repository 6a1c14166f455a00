import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { commonTexts } from '../../texts/en/common.ts';
import { Icon } from './icons.tsx';

export type ModalProps = {
  isOpen: boolean;
  onClose(): void;
  title: string;
  /** Whether it lies at the side of the page, from top to bottom, and is all of it on a phone. */
  isAtSide?: boolean;
  children: ReactNode;
};

/** The dialog itself, which is loaded with the first one that opens. */
export default function Modal(props: ModalProps) {
  return (
    <Base.Root open={props.isOpen} onOpenChange={(isOpen) => !isOpen && props.onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={props.isAtSide ? 'dialog side-panel' : 'dialog'}>
          <Base.Title className="dialog-title">{props.title}</Base.Title>
          {props.children}
          {/* The last one, so that what is to be filled in has the focus first. */}
          <Base.Close className="icon-button dialog-close" aria-label={commonTexts.close}>
            <Icon name="close" />
          </Base.Close>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
