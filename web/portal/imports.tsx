import { useState } from 'react';
import { isLoyaltyError } from '../../sdk/index.ts';
import { type Schema, useClient } from '../shared/client.tsx';
import { ImportFacts, importCounts, rowsOf } from '../shared/import-facts.tsx';
import { CommandNotice } from '../shared/ui/basics.tsx';
import { Surrounded, useDescription } from '../shared/ui/fields.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { PagedItems } from '../shared/ui/lists.tsx';
import { useToast } from '../shared/ui/toast.tsx';
import { usePages } from '../shared/use-pages.ts';
import { useSubmit } from '../shared/use-submit.ts';
import { importTexts as texts } from '../texts/en/imports.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { EndForGood } from './published.tsx';
import { useShop } from './shop.tsx';

const MOST_BYTES = 1024 * 1024;

/** The members of before: uploads a file, shows what became of each, and withdraws one. */
export default function ImportsPage() {
  const client = useClient();
  const { tenantId } = useShop();
  const list = usePages(['imports', tenantId], () => client.all.listImports({ tenantId }));
  return (
    <>
      <PageTitle>{portalTexts.pages.imports}</PageTitle>
      <p className="muted">{texts.lead}</p>
      <Upload />
      <PagedItems list={list} empty={texts.none} label={texts.list}>
        {(item) => <Item item={item} />}
      </PagedItems>
    </>
  );
}

function Upload() {
  const client = useClient();
  const { tenantId } = useShop();
  const say = useToast();
  const [isTooLarge, setTooLarge] = useState(false);
  const upload = useSubmit({
    send: (csv: string, attempt) => client.uploadImport({ tenantId, body: { csv } }, attempt),
    changes: [['imports']],
    onDone: () => say(texts.uploaded),
  });
  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    upload.reset();
    setTooLarge(file.size > MOST_BYTES);
    if (file.size <= MOST_BYTES) upload.submit(await file.text());
  };
  const problem = isTooLarge ? texts.tooLarge : problemOf(upload.error);
  const field = { label: texts.choose, hint: texts.hint, problem };
  const { id, describedBy } = useDescription(field);
  return (
    <div className="form">
      <Surrounded {...field} id={id}>
        <input
          id={id}
          type="file"
          accept=".csv,text/csv"
          disabled={upload.isRunning}
          aria-describedby={describedBy}
          onChange={({ target }) => {
            void choose(target.files?.[0]);
            // So that the same file, corrected, is noticed.
            target.value = '';
          }}
        />
      </Surrounded>
      {problem === undefined && <CommandNotice command={upload} />}
    </div>
  );
}

/** What is wrong with the file, in the language of the page. */
function problemOf(error: Error | null): string | undefined {
  const issue = isLoyaltyError(error) && error.issues.find(({ path }) => path === 'csv');
  const words: Readonly<Record<string, string>> = texts.refused;
  return issue ? (words[issue.code] ?? issue.message) : undefined;
}

function Item({ item }: { item: Schema['Import'] }) {
  const client = useClient();
  const { tenantId } = useShop();
  const counts = importCounts(item);
  const { id: importId } = item;
  return (
    <div className="rule">
      <ImportFacts item={item} />
      {counts !== undefined && <p>{counts}</p>}
      {item.status === 'draft' && (
        <EndForGood
          name={rowsOf(item)}
          texts={ENDING}
          changes="imports"
          send={(attempt) => client.withdrawImport({ tenantId, importId }, attempt)}
        />
      )}
    </div>
  );
}

const ENDING = {
  endOf: texts.withdrawOf,
  end: texts.withdraw,
  endWhat: texts.withdrawWhat,
  keep: texts.keep,
  wasEnded: texts.withdrawn,
};
