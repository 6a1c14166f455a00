import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../shared/client.tsx';
import { Button } from '../shared/ui/basics.tsx';
import { TextField } from '../shared/ui/fields.tsx';
import { useSettled } from '../shared/use-settled.ts';
import { auditTexts as texts } from '../texts/en/audit.ts';
import { nameOf } from './names.ts';

/** Three characters are what an index finds people by. */
const SHORTEST = 3;
const MAX_SHOWN = 5;
const TYPING_MS = 300;

/** Narrows a list down to one person, who is found by a part of their address or number. */
export function PersonFilter(props: {
  label: string;
  userId: string;
  onUser(userId: string): void;
}) {
  const { label, userId, onUser } = props;
  const client = useClient();
  const [text, setText] = useState('');
  const asked = useSettled(text.trim(), TYPING_MS);
  const chosen = useQuery({
    queryKey: ['person', userId],
    queryFn: () => client.showUser({ userId }),
    enabled: userId !== '',
  });
  const found = useQuery({
    queryKey: ['people', asked],
    queryFn: () => client.searchUsers({ q: asked }),
    enabled: asked.length >= SHORTEST,
  });
  if (userId !== '') {
    const name = chosen.data === undefined ? userId : nameOf(chosen.data);
    return <Chosen label={label} text={name} onClear={() => onUser('')} />;
  }
  return (
    <div className="person-filter">
      <TextField
        label={label}
        type="search"
        autoComplete="off"
        placeholder={texts.byAddress}
        problem={found.data?.length === 0 ? texts.noSuchPerson : undefined}
        value={text}
        onText={setText}
      />
      {asked !== '' && found.data !== undefined && found.data.length > 0 && (
        <ul className="suggestions" aria-label={texts.people(label)}>
          {found.data.slice(0, MAX_SHOWN).map((person) => (
            <li key={person.userId}>
              <button
                type="button"
                className="link"
                onClick={() => {
                  setText('');
                  onUser(person.userId);
                }}
              >
                {nameOf(person)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** What a list is narrowed down to, and a way to see all again. */
export function Chosen(props: { label: string; text: string; onClear(): void }) {
  return (
    <div className="chosen">
      <span className="chosen-label">{props.label}</span>
      <span className="chosen-text">{props.text}</span>
      <Button size="small" aria-label={texts.clear(props.text)} onClick={props.onClear}>
        ×
      </Button>
    </div>
  );
}
