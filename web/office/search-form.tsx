import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import { Button } from '../shared/ui/basics.tsx';
import { TextField } from '../shared/ui/fields.tsx';
import { officeTexts } from '../texts/en/office.ts';

/** What is searched for, as the address of the page has it; empty for nothing. */
export function useAsked(): string {
  return useSearchParams()[0].get('q') ?? '';
}

/** Searches for a part of a name, or of what else somebody is called; it stays in the address. */
export function SearchForm({ label, hint }: { label: string; hint?: string }) {
  const [, setParams] = useSearchParams();
  const [text, setText] = useState(useAsked());
  const search = (event: FormEvent) => {
    event.preventDefault();
    setParams(text.trim() === '' ? {} : { q: text.trim() });
  };
  return (
    <form className="search" onSubmit={search}>
      <TextField
        label={label}
        hint={hint}
        type="search"
        autoComplete="off"
        maxLength={200}
        value={text}
        onText={setText}
      />
      <Button type="submit" kind="primary" icon="search">
        {officeTexts.people.submit}
      </Button>
    </form>
  );
}
