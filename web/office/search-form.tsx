import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../shared/ui/basics.tsx';
import { TextField } from '../shared/ui/fields.tsx';
import { useFilters } from '../shared/use-filters.ts';
import { officeTexts } from '../texts/en/office.ts';

/** What is searched for, as the address of the page has it; empty for nothing. */
export function useAsked(): string {
  return useFilters().text('q');
}

/** Searches for a part of a name, or of what else somebody is called; it stays in the address. */
export function SearchForm(props: {
  label: string;
  hint?: string;
  /** Whether one can type at once, until something is searched for. */
  takesFocus?: boolean;
}) {
  const { label, hint, takesFocus = false } = props;
  const form = useRef<HTMLFormElement>(null);
  const filters = useFilters();
  const asked = filters.text('q');
  const [typed, setTyped] = useState({ text: asked, asked });
  // After Back, the field says what is shown.
  const text = typed.asked === asked ? typed.text : asked;
  const isEmpty = asked === '';
  useEffect(() => {
    if (takesFocus && isEmpty) form.current?.querySelector('input')?.focus();
  }, [takesFocus, isEmpty]);
  const search = (event: FormEvent) => {
    event.preventDefault();
    filters.put({ q: text.trim() }, true);
  };
  return (
    <form className="search" onSubmit={search} ref={form}>
      <TextField
        label={label}
        hint={hint}
        type="search"
        autoComplete="off"
        maxLength={200}
        value={text}
        onText={(to) => setTyped({ text: to, asked })}
      />
      <Button type="submit" kind="primary" icon="search">
        {officeTexts.people.submit}
      </Button>
    </form>
  );
}
