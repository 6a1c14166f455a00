import { type RefObject, useEffect, useRef, useState } from 'react';
import { grouped } from '../shared/format.ts';
import { TextField } from '../shared/ui/fields.tsx';
import { tillTexts } from '../texts/en/till.ts';
import { codeIn, memberIn } from './codes.ts';
import { keepFocused } from './keep-focused.ts';
import { useCheckout } from './use-checkout.tsx';

const { code: texts } = tillTexts;

/** Where codes are typed, pasted, and typed by hand scanners; it has the focus all the time. */
export function CodeField(props: {
  onScan(code: string): void;
  onMember(number: string): void;
  onEnter(): void;
}) {
  const { onScan, onMember, onEnter } = props;
  const { now, cancel } = useCheckout();
  const form = useRef<HTMLFormElement>(null);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const isTouched = useTouch(form);
  const { step } = now;

  useEffect(() => {
    const field = fieldOf(form);
    return field === undefined ? undefined : keepFocused(field);
  }, []);

  const unknown =
    step.at === 'refused' && step.found === undefined && step.error === undefined
      ? step.code
      : undefined;
  // One that nobody knows may be mistyped: it comes back, to be corrected, or overwritten.
  useEffect(() => {
    if (unknown !== undefined) setText((typed) => (typed === '' ? grouped(unknown) : typed));
  }, [unknown]);
  useEffect(() => {
    if (unknown !== undefined && text === grouped(unknown)) fieldOf(form)?.select();
  }, [unknown, text]);

  const change = (typed: string) => {
    setProblem(undefined);
    const member = memberIn(typed);
    if (member !== undefined) {
      setText('');
      isTouched.end();
      return onMember(member);
    }
    // While the number of a card is being typed, what there is of it is no code.
    const code = /^\s*LP1/i.test(typed) ? undefined : codeIn(typed);
    setText(code === undefined ? typed.toUpperCase() : '');
    if (code === undefined) return;
    isTouched.end();
    onScan(code);
  };
  const submit = () => {
    if (text.trim() === '') return onEnter();
    if (codeIn(text) === undefined) setProblem(texts.incomplete);
    else change(text);
  };
  return (
    <form
      className="code-field"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField
        label={texts.label}
        placeholder={texts.placeholder}
        problem={problem}
        value={text}
        onText={change}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          setText('');
          setProblem(undefined);
          cancel();
        }}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        // A scanner needs no keyboard on the screen; who taps the field does.
        inputMode={isTouched.now ? 'text' : 'none'}
        enterKeyHint="go"
        maxLength={100}
      />
    </form>
  );
}

function fieldOf(form: RefObject<HTMLFormElement | null>): HTMLInputElement | undefined {
  return form.current?.querySelector('input') ?? undefined;
}

/** Whether somebody has tapped the field, to type by hand. */
function useTouch(form: RefObject<HTMLFormElement | null>) {
  const [now, setNow] = useState(false);
  useEffect(() => {
    const field = fieldOf(form);
    const touch = () => {
      // Only a field that gets the focus by this tap brings the keyboard up.
      field?.blur();
      setNow(true);
    };
    field?.addEventListener('pointerdown', touch);
    return () => field?.removeEventListener('pointerdown', touch);
  }, [form]);
  return { now, end: () => setNow(false) };
}
