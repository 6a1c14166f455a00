import { type ReactNode, useState } from 'react';
import {
  Button,
  ButtonLink,
  EmptyState,
  ErrorNotice,
  Section,
  Skeleton,
} from '../shared/ui/basics.tsx';
import { FormDialog } from '../shared/ui/dialog.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { More } from '../shared/ui/lists.tsx';
import { useToast } from '../shared/ui/toast.tsx';
import type { PagedList } from '../shared/use-pages.ts';
import { type Attempt, useSubmit } from '../shared/use-submit.ts';

type Texts = Record<'lead' | 'new' | 'none' | 'open' | 'earlier', string>;

/** The page of what a shop publishes and ends: what is open, and what has ended. */
export function PublishedPage<Item extends { id: string; status: string }>(props: {
  title: string;
  texts: Texts;
  newHref: string;
  list: PagedList<Item> & { isPending: boolean };
  children(item: Item): ReactNode;
}) {
  const { title, texts, newHref, list } = props;
  const isEnded = ({ status }: Item) => status === 'ended';
  const open = list.items?.filter((item) => !isEnded(item)) ?? [];
  const ended = list.items?.filter(isEnded) ?? [];
  const create = (
    <ButtonLink kind="primary" href={newHref}>
      {texts.new}
    </ButtonLink>
  );
  const items = (some: readonly Item[]) => (
    <ul className="items">
      {some.map((item) => (
        <li key={item.id} className="rule">
          {props.children(item)}
        </li>
      ))}
    </ul>
  );
  return (
    <>
      <PageTitle action={create}>{title}</PageTitle>
      <p className="muted">{texts.lead}</p>
      <ErrorNotice error={list.error} retry={list.refetch} />
      {list.isPending && <Skeleton />}
      {list.items?.length === 0 && <EmptyState title={texts.none} />}
      {open.length > 0 && <Section title={texts.open}>{items(open)}</Section>}
      {ended.length > 0 && <Section title={texts.earlier}>{items(ended)}</Section>}
      <More list={list} />
    </>
  );
}

/** Ends something for good, after asking once more. */
export function EndForGood(props: {
  name: string;
  texts: Record<'end' | 'endWhat' | 'keep' | 'wasEnded', string> & { endOf(name: string): string };
  /** Of what the list is to be read again. */
  changes: string;
  send(attempt: Attempt): Promise<unknown>;
}) {
  const { name, texts, changes, send } = props;
  const say = useToast();
  const [isOpen, setOpen] = useState(false);
  const end = useSubmit({
    send: (_: undefined, attempt) => send(attempt),
    changes: [[changes]],
    onDone: () => {
      say(texts.wasEnded);
      setOpen(false);
    },
  });
  return (
    <div>
      <Button onClick={() => setOpen(true)}>{texts.endOf(name)}</Button>
      <FormDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={`${texts.endOf(name)}?`}
        submit={texts.end}
        close={texts.keep}
        kind="danger"
        command={end}
        onSubmit={() => end.submit(undefined)}
      >
        <p>{texts.endWhat}</p>
      </FormDialog>
    </div>
  );
}
