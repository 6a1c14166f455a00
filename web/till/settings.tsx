import { useState } from 'react';
import { useClient } from '../shared/client.tsx';
import { Button, CommandNotice } from '../shared/ui/basics.tsx';
import { CheckField, SelectField, TextField } from '../shared/ui/fields.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { tillTexts } from '../texts/en/till.ts';
import { useLock } from './lock.tsx';
import { canKeepPin, IDLE_MINUTES, type IdleMinutes, PIN_LENGTH } from './pin.ts';
import { useSwitch } from './remembered.ts';
import { useShop } from './shop.tsx';

const { settings: texts, leave: leaveTexts } = tillTexts;

/** What is set for this device, and how to leave the shop. */
export default function Settings({ onDone }: { onDone(): void }) {
  const [isMuted, setMuted] = useSwitch('mute');
  return (
    <div className="settings">
      <CheckField label={texts.sound} checked={!isMuted} onCheck={(on) => setMuted(!on)} />
      <PinSettings onDone={onDone} />
      <Leave onDone={onDone} />
    </div>
  );
}

function PinSettings({ onDone }: { onDone(): void }) {
  const { idleMinutes, removePin } = useLock();
  const [isChanging, setChanging] = useState(false);
  if (!canKeepPin()) return <p className="hint">{texts.needsTls}</p>;
  if (isChanging) return <NewPin onDone={onDone} />;
  return (
    <section className="section">
      <h3>{texts.lock}</h3>
      <p className="muted">
        {idleMinutes === undefined ? texts.noPin : texts.hasPin(texts.minutes(idleMinutes))}
      </p>
      <div className="button-row">
        <Button onClick={() => setChanging(true)}>
          {idleMinutes === undefined ? texts.setPin : texts.changePin}
        </Button>
        {idleMinutes !== undefined && <Button onClick={removePin}>{texts.removePin}</Button>}
      </div>
    </section>
  );
}

function NewPin({ onDone }: { onDone(): void }) {
  const { idleMinutes, setPin } = useLock();
  const [pin, setDigits] = useState('');
  const [again, setAgain] = useState('');
  const [minutes, setMinutes] = useState<IdleMinutes>(idleMinutes ?? 5);
  const [problem, setProblem] = useState<string>();
  const save = async () => {
    if (pin.length !== PIN_LENGTH) return setProblem(texts.tooShort);
    if (pin !== again) return setProblem(texts.differs);
    await setPin(pin, minutes);
    onDone();
  };
  const digits = {
    type: 'password',
    inputMode: 'numeric',
    autoComplete: 'one-time-code',
    maxLength: PIN_LENGTH,
  } as const;
  const only = (text: string) => text.replace(/\D/g, '');
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextField
        label={texts.newPin}
        hint={texts.pinHint}
        problem={problem}
        value={pin}
        onText={(text) => setDigits(only(text))}
        {...digits}
      />
      <TextField
        label={texts.again}
        value={again}
        onText={(text) => setAgain(only(text))}
        {...digits}
      />
      <SelectField
        label={texts.after}
        value={String(minutes)}
        options={IDLE_MINUTES.map((each) => ({ value: String(each), text: texts.minutes(each) }))}
        onValue={(value) => setMinutes(IDLE_MINUTES.find((each) => String(each) === value) ?? 5)}
      />
      <Button type="submit" kind="primary">
        {texts.savePin}
      </Button>
    </form>
  );
}

function Leave({ onDone }: { onDone(): void }) {
  const client = useClient();
  const { id, name } = useShop();
  const [isSure, setSure] = useState(false);
  const leave = useSubmit({
    send: (_: undefined, attempt) => client.leaveShop({ tenantId: id }, attempt),
    changes: [['profile'], ['context']],
    onDone,
  });
  return (
    <section className="section">
      <h3>{leaveTexts.title(name)}</h3>
      {isSure && <p>{leaveTexts.what(name)}</p>}
      <CommandNotice command={leave} />
      <div className="button-row">
        {isSure && (
          <Button kind="danger" isRunning={leave.isRunning} onClick={() => leave.submit(undefined)}>
            {leaveTexts.submit}
          </Button>
        )}
        <Button onClick={() => setSure(!isSure)}>
          {isSure ? leaveTexts.stay : leaveTexts.open}
        </Button>
      </div>
    </section>
  );
}
