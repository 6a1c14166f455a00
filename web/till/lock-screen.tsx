import { useEffect, useRef, useState } from 'react';
import { useSession } from '../shared/client.tsx';
import { Button, Notice } from '../shared/ui/basics.tsx';
import { TextField } from '../shared/ui/fields.tsx';
import { Icon } from '../shared/ui/icons.tsx';
import { tillTexts } from '../texts/en/till.ts';
import { keepFocused } from './keep-focused.ts';
import { PIN_LENGTH, type Pin } from './pin.ts';

const { lock: texts } = tillTexts;
/** A scanner that reads a code types faster: what comes in one go, and is no PIN, is no try. */
const PAUSE_MS = 250;
const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'clear', '0'] as const;

/** Asks for the PIN of a till that is locked; five wrong ones sign out. */
export default function LockScreen({ pin, onOpen }: { pin: Pin; onOpen(): void }) {
  const { now, signOut } = useSession();
  const [digits, setDigits] = useState('');
  const [said, setSaid] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    document.title = texts.title;
    const field = form.current?.querySelector('input');
    return field ? keepFocused(field) : undefined;
  }, []);

  useEffect(() => {
    if (digits.length !== PIN_LENGTH) return;
    const attempt = async () => {
      const left = await pin.errorsLeftAfter(digits);
      if (left === undefined) return onOpen();
      setDigits('');
      setSaid(texts.wrong(left));
      if (left === 0) await signOut();
    };
    const timer = setTimeout(() => void attempt(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [digits, pin, onOpen, signOut]);

  const strayAt = useRef(Number.NEGATIVE_INFINITY);
  const type = (typed: string) => {
    const isPin = /^\d*$/.test(typed) && typed.length <= PIN_LENGTH;
    const isStray = !isPin || performance.now() - strayAt.current < PAUSE_MS;
    if (isStray) strayAt.current = performance.now();
    setSaid(isStray ? texts.first : undefined);
    setDigits(isStray ? '' : typed);
  };
  const press = (key: (typeof KEYS)[number]) => {
    strayAt.current = Number.NEGATIVE_INFINITY;
    setDigits((typed) => (key === 'clear' ? '' : pressed(typed, key)));
  };
  return (
    <main className="start lock-screen">
      <Icon name="lock" />
      <h1>{texts.title}</h1>
      {now.status === 'signed-in' && <p className="muted">{texts.of(now.name ?? '')}</p>}
      {said !== undefined && <Notice kind="bad">{said}</Notice>}
      <form ref={form} onSubmit={(event) => event.preventDefault()}>
        <TextField
          label={texts.pin}
          value={digits}
          onText={type}
          type="password"
          inputMode="none"
          autoComplete="one-time-code"
        />
        <div className="keypad">
          {KEYS.map((key) => (
            <Button key={key} size="big" onClick={() => press(key)}>
              {key === 'clear' ? texts.clear : key}
            </Button>
          ))}
        </div>
      </form>
      <Button onClick={() => void signOut()}>{texts.signOut}</Button>
    </main>
  );
}

function pressed(digits: string, key: string): string {
  return digits.length < PIN_LENGTH ? digits + key : digits;
}
