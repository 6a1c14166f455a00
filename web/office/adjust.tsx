import { useState } from 'react';
import { type Schema, useClient } from '../shared/client.tsx';
import { money } from '../shared/format.ts';
import { pointsText } from '../shared/points-text.ts';
import { Button } from '../shared/ui/basics.tsx';
import { FormDialog } from '../shared/ui/dialog.tsx';
import { LongTextField, TextField } from '../shared/ui/fields.tsx';
import { useDraft } from '../shared/use-draft.ts';
import { useSubmit } from '../shared/use-submit.ts';
import { officeTexts } from '../texts/en/office.ts';
import { nameOf } from './names.ts';
import { Whose } from './whose.tsx';

const { wallet: walletTexts, adjust: texts } = officeTexts;
const DIRECTIONS = ['add', 'take'] as const;

type Wallet = Schema['OwnedWallet'];
type Draft = { direction?: (typeof DIRECTIONS)[number]; points: string; reason: string };
const EMPTY: Draft = { points: '', reason: '' };

/** Corrects the balance of a wallet; its button says how much of whose money that is. */
export function Adjust(props: {
  wallet: Wallet;
  isOwn: boolean;
  changes: readonly string[][];
  onDone(text: string): void;
}) {
  const client = useClient();
  const { wallet } = props;
  const { balance, currency } = wallet;
  const who = nameOf(wallet.owner);
  const [isOpen, setOpen] = useState(false);
  const [draft, setDraft, forget] = useDraft(`adjust.${wallet.id}`, () => EMPTY);
  const points = pointsOf(draft);
  const holds = (some: number) => texts.holds(pointsText(some), money(some, currency));
  const adjust = useSubmit({
    send: (body: { points: number; reason: string }, attempt) =>
      client.adjustWallet({ walletId: wallet.id, body }, attempt),
    changes: props.changes,
    onDone: (adjusted) => {
      setOpen(false);
      setDraft(EMPTY);
      forget();
      props.onDone(texts.done(who, holds(adjusted.balance)));
    },
  });
  return (
    <>
      <Button disabled={props.isOwn} onClick={() => setOpen(true)}>
        {texts.open}
      </Button>
      <FormDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={texts.title(who)}
        submit={submitText(draft, wallet)}
        kind={draft.direction === 'take' ? 'danger' : 'primary'}
        command={adjust}
        onSubmit={() => {
          if (points !== undefined) adjust.submit({ points, reason: draft.reason.trim() });
        }}
      >
        <Whose wallet={wallet} />
        <Fields draft={draft} onDraft={setDraft} balance={balance} />
        <dl className="facts" aria-live="polite">
          <dt>{texts.after}</dt>
          <dd>{points === undefined ? '–' : holds(balance + points)}</dd>
        </dl>
      </FormDialog>
    </>
  );
}

function countOf({ points }: Draft): number | undefined {
  return /^\s*[1-9]\d{0,9}\s*$/.test(points) ? Number(points) : undefined;
}

/** What is added, below zero for what is taken; undefined until both are said. */
function pointsOf(draft: Draft): number | undefined {
  const count = countOf(draft);
  if (count === undefined || draft.direction === undefined) return undefined;
  return draft.direction === 'add' ? count : -count;
}

function submitText(draft: Draft, { owner, currency }: Wallet): string {
  const count = countOf(draft);
  if (count === undefined || draft.direction === undefined) return texts.submit;
  return texts.submits[draft.direction](money(count, currency), nameOf(owner));
}

function problemOf(draft: Draft, balance: number): string | undefined {
  if (draft.points === '') return undefined;
  if (countOf(draft) === undefined) return texts.whole;
  const points = pointsOf(draft) ?? 0;
  return balance + points < 0 ? texts.tooFew(pointsText(balance)) : undefined;
}

function Fields(props: { draft: Draft; onDraft(draft: Draft): void; balance: number }) {
  const { draft, onDraft } = props;
  return (
    <>
      <fieldset className="choice">
        <legend>{texts.direction}</legend>
        {DIRECTIONS.map((direction) => (
          <label key={direction}>
            <input
              type="radio"
              name="direction"
              required
              checked={draft.direction === direction}
              onChange={() => onDraft({ ...draft, direction })}
            />
            {texts[direction]}
          </label>
        ))}
      </fieldset>
      <TextField
        label={walletTexts.columns.points}
        inputMode="numeric"
        autoComplete="off"
        required
        problem={problemOf(draft, props.balance)}
        value={draft.points}
        onText={(points) => onDraft({ ...draft, points })}
      />
      <LongTextField
        label={officeTexts.reason}
        hint={officeTexts.reasonHint}
        required
        maxLength={500}
        value={draft.reason}
        onText={(reason) => onDraft({ ...draft, reason })}
      />
    </>
  );
}
