import type { ReactNode } from 'react';
import { commonTexts } from '../../texts/en/common.ts';
import { number } from '../format.ts';
import type { PagedList } from '../use-pages.ts';
import { Button, CommandNotice, EmptyState, ErrorNotice, Skeleton } from './basics.tsx';

type ListProps<Item> = {
  list: PagedList<Item>;
  /** What is said when there is nothing in it: a sentence, or an `EmptyState` with more. */
  empty: ReactNode;
};

/** A list that shows what came so far, and more on demand. */
export function PagedItems<Item extends { id: string }>(
  props: ListProps<Item> & { label: string; children(item: Item): ReactNode },
) {
  return (
    <Paged list={props.list} empty={props.empty}>
      {(items) => (
        <ul className="items" aria-label={props.label}>
          {items.map((item) => (
            <li key={item.id}>{props.children(item)}</li>
          ))}
        </ul>
      )}
    </Paged>
  );
}

/** A column of a table; `cell` says what a row shows in it. */
export type Column<Item> = {
  title: string;
  cell(item: Item): ReactNode;
  isNumber?: boolean;
};

/** A table that grows on demand; on a phone each row is a card with the titles of its columns. */
export function PagedTable<Item>(
  props: ListProps<Item> & {
    label: string;
    columns: readonly Column<Item>[];
    keyOf(item: Item): string;
  },
) {
  return (
    <Paged list={props.list} empty={props.empty}>
      {(items) => <Table {...props} rows={items} />}
    </Paged>
  );
}

/** A table; on a phone each row is a card with the titles of its columns. */
export function Table<Item>(props: {
  label: string;
  rows: readonly Item[];
  columns: readonly Column<Item>[];
  keyOf(item: Item): string;
}) {
  const { columns } = props;
  return (
    <div className="table-box">
      <table className="table" aria-label={props.label}>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} className={isNumber ? 'number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr key={props.keyOf(row)}>
              {columns.map(({ title, cell, isNumber }) => (
                <td key={title} data-title={title} className={isNumber ? 'number' : undefined}>
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Empty({ children }: { children: ReactNode }) {
  return typeof children === 'string' ? <EmptyState title={children} /> : children;
}

function Paged<Item>(props: ListProps<Item> & { children(items: Item[]): ReactNode }) {
  const { items, error, refetch } = props.list;
  if (items === undefined && error === null) return <Skeleton shape="rows" count={6} />;
  return (
    <>
      <ErrorNotice error={error} retry={() => refetch()} />
      {items?.length === 0 && <Empty>{props.empty}</Empty>}
      {items !== undefined && items.length > 0 && props.children(items)}
      <More list={props.list} />
    </>
  );
}

/** Says how many items have come to a list, and shows them when it is pressed. */
export function News({ list }: { list: { news: number; refetch(): unknown } }) {
  const { news, refetch } = list;
  return (
    <span role="status">
      {news > 0 && <Button onClick={() => refetch()}>{commonTexts.news(number(news))}</Button>}
    </span>
  );
}

/** The button that asks for the next page of a list, while there is one. */
export function More({ list }: { list: Omit<PagedList<unknown>, 'items'> }) {
  const { hasMore, isLoadingMore: isRunning, more, stop } = list;
  if (!hasMore) return null;
  return (
    <>
      <CommandNotice command={{ isRunning, error: null, cancel: stop }} />
      <Button isRunning={isRunning} onClick={more}>
        {commonTexts.more}
      </Button>
    </>
  );
}
