import { useState } from 'react';
import { type Schema, useClient, useProfile } from '../shared/client.tsx';
import { number } from '../shared/format.ts';
import { Button } from '../shared/ui/basics.tsx';
import { FormDialog } from '../shared/ui/dialog.tsx';
import { LongTextField, SelectField, TextField } from '../shared/ui/fields.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { officeTexts } from '../texts/office.ts';
import { Command } from './command.tsx';

const { wallet: walletTexts, adjust: texts, freeze, unfreeze } = officeTexts;

type Wallet = Schema['AdminWallet'];
type Props = { wallet: Wallet; changes: readonly string[][]; onDone(text: string): void };
const DIRECTIONS = [
  { value: 'add', text: texts.add },
  { value: 'take', text: texts.take },
] as const;

/** What an administrator can do to a wallet by hand. */
export function WalletCommands({ wallet, onDone }: Omit<Props, 'changes'>) {
  const profile = useProfile();
  const isOwn = profile.data?.userId === wallet.userId;
  const changes = [
    ['wallet', wallet.id],
    ['entries', wallet.id],
    ['person', wallet.userId],
    ['audit'],
  ];
  const props = { wallet, changes, onDone };
  return (
    <>
      <div className="button-row">
        <Adjust {...props} isOwn={isOwn} />
        {wallet.status === 'active' ? <Freeze {...props} /> : <Unfreeze {...props} />}
      </div>
      {isOwn && <p className="muted">{texts.own}</p>}
    </>
  );
}

function Freeze({ wallet, changes, onDone }: Props) {
  const client = useClient();
  return (
    <Command
      open={freeze.open}
      title={freeze.title}
      submit={freeze.submit}
      isDangerous
      input={{}}
      send={(body, attempt) => client.freezeWallet({ walletId: wallet.id, body }, attempt)}
      changes={changes}
      onDone={() => onDone(freeze.done)}
    >
      <p>{freeze.what}</p>
    </Command>
  );
}

function Unfreeze({ wallet, changes, onDone }: Props) {
  const client = useClient();
  return (
    <Command
      open={unfreeze.open}
      title={unfreeze.title}
      submit={unfreeze.submit}
      input={{}}
      send={(body, attempt) => client.unfreezeWallet({ walletId: wallet.id, body }, attempt)}
      changes={changes}
      onDone={() => onDone(unfreeze.done)}
    >
      <p>{unfreeze.what}</p>
    </Command>
  );
}

type Draft = { direction: (typeof DIRECTIONS)[number]['value']; points: string; reason: string };
const EMPTY: Draft = { direction: 'add', points: '', reason: '' };

function Adjust({ wallet, changes, onDone, isOwn }: Props & { isOwn: boolean }) {
  const client = useClient();
  const [isOpen, setOpen] = useState(false);
  const [draft, setDraft] = useState(EMPTY);
  const { balance } = wallet;
  const count = /^\s*[1-9]\d{0,9}\s*$/.test(draft.points) ? Number(draft.points) : undefined;
  const points = count === undefined || draft.direction === 'add' ? count : -count;
  const adjust = useSubmit({
    send: (body: { points: number; reason: string }, attempt) =>
      client.adjustWallet({ walletId: wallet.id, body }, attempt),
    changes,
    onDone: (adjusted) => {
      setOpen(false);
      setDraft(EMPTY);
      onDone(texts.done(number(adjusted.balance)));
    },
  });
  const submit = () => {
    if (points !== undefined) adjust.submit({ points, reason: draft.reason.trim() });
  };
  return (
    <>
      <Button disabled={isOwn} onClick={() => setOpen(true)}>
        {texts.open}
      </Button>
      <FormDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={texts.title}
        submit={texts.submit}
        isRunning={adjust.isRunning}
        error={adjust.error}
        onSubmit={submit}
      >
        <Fields draft={draft} onDraft={setDraft} problem={problemOf(draft, points, balance)} />
        <dl className="facts" aria-live="polite">
          <dt>{texts.now}</dt>
          <dd>{number(balance)}</dd>
          <dt>{texts.after}</dt>
          <dd>{points === undefined ? '–' : number(balance + points)}</dd>
        </dl>
      </FormDialog>
    </>
  );
}

function problemOf(draft: Draft, points: number | undefined, balance: number): string | undefined {
  if (draft.points === '') return undefined;
  if (points === undefined) return texts.whole;
  return balance + points < 0 ? texts.tooFew(number(balance)) : undefined;
}

function Fields(props: { draft: Draft; onDraft(draft: Draft): void; problem: string | undefined }) {
  const { draft, onDraft } = props;
  return (
    <>
      <SelectField
        label={texts.direction}
        value={draft.direction}
        options={DIRECTIONS}
        onValue={(direction) => onDraft({ ...draft, direction })}
      />
      <TextField
        label={walletTexts.columns.points}
        inputMode="numeric"
        autoComplete="off"
        required
        problem={props.problem}
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
