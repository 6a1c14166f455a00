import { Combobox } from '@base-ui/react/combobox';
import { useEffect, useRef, useState } from 'react';
import { Surrounded, useDescription } from '../shared/ui/fields.tsx';
import { choiceTexts as texts } from '../texts/en/choices.ts';
import { type Choice, isMeant, meantBy } from './places.ts';

/** One of many things by its name: what is typed narrows the list, and what is no name is told. */
export function ChoiceField(props: {
  label: string;
  hint?: string;
  choices: readonly Choice[];
  /** The code of what is chosen; empty for nothing. */
  value: string;
  onValue(code: string): void;
}) {
  const { label, hint, choices, value, onValue } = props;
  const { id, describedBy } = useDescription({ hint });
  const input = useRef<HTMLInputElement>(null);
  const chosen = choices.find(({ code }) => code === value) ?? null;
  const [typed, setTyped] = useState(chosen?.name ?? '');
  const isUnknown = typed.trim() !== '' && meantBy(choices, typed) === undefined;
  const problem = isUnknown ? texts.unknown : undefined;
  // With it the browser does not send the form, and says why.
  useEffect(() => input.current?.setCustomValidity(problem ?? ''), [problem]);
  const settle = () => {
    const meant = meantBy(choices, typed);
    if (typed.trim() === '') onValue('');
    else if (meant !== undefined) {
      onValue(meant.code);
      setTyped(meant.name);
    }
  };
  return (
    <Surrounded id={id} label={label} hint={hint}>
      <Combobox.Root
        items={choices}
        value={chosen}
        onValueChange={(choice) => onValue(choice?.code ?? '')}
        inputValue={typed}
        onInputValueChange={(text, { reason }) => {
          // Not what it puts back when the list closes: what was typed is to be mended, not lost.
          if (reason === 'input-change' || reason === 'item-press') setTyped(text);
        }}
        itemToStringLabel={({ name }) => name}
        filter={isMeant}
        autoHighlight
      >
        <Combobox.InputGroup className="choice-input">
          <Combobox.Input
            id={id}
            ref={input}
            // The open list hides the label beside it from screen readers.
            aria-label={label}
            autoComplete="off"
            aria-describedby={describedBy}
            onBlur={settle}
          />
          <Combobox.Trigger className="choice-open" aria-label={texts.all(label)}>
            <span aria-hidden="true">▾</span>
          </Combobox.Trigger>
        </Combobox.InputGroup>
        <Combobox.Portal>
          <Combobox.Positioner className="choices-at" sideOffset={4}>
            <Combobox.Popup className="choices">
              <Combobox.Empty className="choices-empty">{texts.unknown}</Combobox.Empty>
              <Combobox.List>
                {(choice: Choice) => (
                  <Combobox.Item key={choice.code} value={choice} className="choice">
                    {choice.name} <span className="muted">{choice.code}</span>
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
    </Surrounded>
  );
}
