import { useState } from 'react';
import { Link } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { ImportFacts, importCounts, rowsOf } from '../shared/import-facts.tsx';
import { pointsText } from '../shared/points-text.ts';
import { Button, Notice } from '../shared/ui/basics.tsx';
import { FormDialog } from '../shared/ui/dialog.tsx';
import { LongTextField, TextField } from '../shared/ui/fields.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { PagedItems } from '../shared/ui/lists.tsx';
import { usePages } from '../shared/use-pages.ts';
import { useSubmit } from '../shared/use-submit.ts';
import { importTexts, officeImportTexts as texts } from '../texts/en/imports.ts';
import { officeTexts } from '../texts/en/office.ts';

type Import = Schema['AdminImport'];
type Props = { item: Import; onDone(text: string): void };

const CHANGES = [['imports'], ['audit']];
const DAY_MS = 86_400_000;

/** Members whom shops bring over: approves a file by its sum, and takes one back within a day. */
export default function ImportsPage() {
  const client = useClient();
  const [done, setDone] = useState<string>();
  const list = usePages(['imports'], () => client.all.listAllImports({}));
  return (
    <>
      <PageTitle>{officeTexts.pages.imports}</PageTitle>
      <p className="muted">{texts.lead}</p>
      {done !== undefined && <Notice kind="good">{done}</Notice>}
      <PagedItems list={list} empty={texts.empty} label={importTexts.list}>
        {(item) => <Item item={item} onDone={setDone} />}
      </PagedItems>
    </>
  );
}

function Item({ item, onDone }: Props) {
  const { status, tenantId, tenantName, approvedAt } = item;
  const counts = importCounts(item);
  const isRecent = approvedAt !== null && Date.now() - Date.parse(approvedAt) < DAY_MS;
  return (
    <article className="rule">
      <ImportFacts item={item} shop={tenantName} />
      {counts !== undefined && <p>{status === 'draft' ? `${texts.foreseen} ${counts}` : counts}</p>}
      <div className="button-row">
        <Link href={`/shops/${tenantId}`}>{officeTexts.imports.shop}</Link>
        {status === 'draft' && <Approve item={item} onDone={onDone} />}
        {status === 'done' && isRecent && <Revert item={item} onDone={onDone} />}
      </div>
    </article>
  );
}

function Approve({ item, onDone }: Props) {
  const client = useClient();
  const { id: importId, tenantName, points } = item;
  const [isOpen, setOpen] = useState(false);
  const [sum, setSum] = useState('');
  const command = useSubmit({
    send: (body: { points: number }, attempt) => client.approveImport({ importId, body }, attempt),
    changes: CHANGES,
    onDone: () => {
      setOpen(false);
      onDone(texts.approve.done(tenantName));
    },
  });
  const isSum = /^[1-9]\d{0,7}$/.test(sum.trim());
  return (
    <>
      <Button aria-label={texts.approve.of(tenantName)} onClick={() => setOpen(true)}>
        {texts.approve.open}
      </Button>
      <FormDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={texts.approve.title(tenantName)}
        submit={texts.approve.submit}
        command={command}
        onSubmit={() => {
          if (isSum) command.submit({ points: Number(sum) });
        }}
      >
        <p>{texts.approve.what(pointsText(points), rowsOf(item))}</p>
        <TextField
          label={texts.approve.sum}
          inputMode="numeric"
          autoComplete="off"
          required
          problem={sum === '' || isSum ? undefined : texts.approve.wrong}
          value={sum}
          onText={setSum}
        />
      </FormDialog>
    </>
  );
}

function Revert({ item, onDone }: Props) {
  const client = useClient();
  const { id: importId, tenantName } = item;
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const command = useSubmit({
    send: (body: { reason: string }, attempt) => client.revertImport({ importId, body }, attempt),
    changes: CHANGES,
    onDone: () => {
      setOpen(false);
      onDone(texts.revert.done(tenantName));
    },
  });
  return (
    <>
      <Button kind="danger" aria-label={texts.revert.of(tenantName)} onClick={() => setOpen(true)}>
        {texts.revert.open}
      </Button>
      <FormDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={texts.revert.title(tenantName)}
        submit={texts.revert.submit}
        kind="danger"
        command={command}
        onSubmit={() => command.submit({ reason: reason.trim() })}
      >
        <p>{texts.revert.what}</p>
        <LongTextField
          label={officeTexts.reason}
          hint={officeTexts.reasonHint}
          required
          maxLength={500}
          value={reason}
          onText={setReason}
        />
      </FormDialog>
    </>
  );
}
