import { useState } from 'react';
import { Button, ButtonLink, Section } from '../shared/ui/basics.tsx';
import { Dialog, FormDialog } from '../shared/ui/dialog.tsx';
import { CheckField, LongTextField, SelectField, TextField } from '../shared/ui/fields.tsx';
import { Segments } from '../shared/ui/segments.tsx';
import { useToast } from '../shared/ui/toast.tsx';

const KINDS = ['primary', 'brand', 'plain', 'danger', 'quiet'] as const;
const OPTIONS = [
  { value: 'all', text: 'All' },
  { value: 'some', text: 'Some' },
];

/** What is pressed and filled in. */
export function Controls() {
  return (
    <>
      <Section title="Buttons">
        {KINDS.map((kind) => (
          <div key={kind} className="button-row">
            <Button kind={kind}>{kind}</Button>
            <Button kind={kind} icon="plus">
              with an icon
            </Button>
            <Button kind={kind} size="small">
              small
            </Button>
            <Button kind={kind} isRunning>
              running
            </Button>
            <Button kind={kind} disabled>
              disabled
            </Button>
          </div>
        ))}
        <Button kind="primary" size="big">
          big
        </Button>
        <div>
          <ButtonLink href="/sales" icon="sales">
            a link
          </ButtonLink>
        </div>
      </Section>
      <Section title="Fields">
        <Fields />
      </Section>
      <Section title="Above the page">
        <Above />
      </Section>
    </>
  );
}

function Fields() {
  const [text, setText] = useState('');
  const [choice, setChoice] = useState('all');
  const [isOn, setOn] = useState(true);
  return (
    <div className="form">
      <div className="form-row">
        <TextField label="Text" hint="What helps." value={text} onText={setText} />
        <TextField label="Wrong" problem="Write a number." value={text} onText={setText} />
        <TextField label="Disabled" disabled value="EUR" onText={setText} />
        <SelectField label="Choice" value={choice} options={OPTIONS} onValue={setChoice} />
      </div>
      <LongTextField label="Several lines" value={text} onText={setText} />
      <Segments legend="One of a few" options={OPTIONS} value={choice} onValue={setChoice} />
      <CheckField label="Yes or no" checked={isOn} onCheck={setOn} />
    </div>
  );
}

function Above() {
  const say = useToast();
  const [open, setOpen] = useState<'plain' | 'form'>();
  const close = () => setOpen(undefined);
  return (
    <div className="button-row">
      <Button onClick={() => say('Saved.')}>A toast</Button>
      <Button onClick={() => setOpen('plain')}>A dialog</Button>
      <Button onClick={() => setOpen('form')}>A dialog that asks</Button>
      <Dialog isOpen={open === 'plain'} onClose={close} title="A dialog">
        <p>It has a button that closes it.</p>
      </Dialog>
      <FormDialog
        isOpen={open === 'form'}
        onClose={close}
        title="Disconnect Alpha?"
        submit="Disconnect"
        kind="danger"
        command={{ isRunning: false, error: null, cancel: close }}
        onSubmit={close}
      >
        <TextField label="Reason" value="" onText={() => undefined} />
      </FormDialog>
    </div>
  );
}
