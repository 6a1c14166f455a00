import type { Schema } from '../shared/client.tsx';
import { colleagueName } from '../shared/colleague.ts';
import { number } from '../shared/format.ts';
import { Badge, Moment } from '../shared/ui/basics.tsx';
import type { Column } from '../shared/ui/lists.tsx';
import { worthOf } from '../shared/worth.ts';
import { codeTexts as texts } from '../texts/en/codes.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { nameOf } from './customer-name.ts';
import { PanelLink } from './panel-link.tsx';

const { columns } = texts;

type Code = Omit<Schema['ShopRedemption'], 'consumer' | 'usedBy'> & {
  consumer?: Schema['ShopRedemption']['consumer'];
  usedBy?: Schema['ShopRedemption']['usedBy'];
};

const KINDS = { issued: 'good', used: 'plain', expired: 'warn' } as const;

/** The columns of codes, whoever they belong to. */
export const CODE_COLUMNS: Column<Code>[] = [
  { title: columns.issued, cell: ({ issuedAt }) => <Moment iso={issuedAt} /> },
  {
    title: columns.worth,
    cell: (code) => (
      <PanelLink shows="code" id={code.id}>
        {worthOf(code)}
      </PanelLink>
    ),
    isNumber: true,
  },
  { title: columns.points, cell: ({ points }) => number(points), isNumber: true },
  {
    title: columns.status,
    cell: (code) => <StatusOf code={code} />,
  },
  {
    title: columns.used,
    cell: ({ usedAt, usedBy }) =>
      usedAt !== null && (
        <>
          <Moment iso={usedAt} /> {usedBy && texts.by(colleagueName(usedBy, portalTexts.none))}
        </>
      ),
  },
];

/** What became of a code, in a word. */
export function StatusOf({ code: { status, cancelled } }: { code: Code }) {
  return <Badge kind={KINDS[status]}>{cancelled ? texts.cancelled : texts.status[status]}</Badge>;
}

/** The same, with whose they are. */
export const CODES_OF_ALL: Column<Schema['ShopRedemption']>[] = [
  ...CODE_COLUMNS.slice(0, 1),
  { title: columns.who, cell: ({ consumer }) => nameOf(consumer) },
  ...CODE_COLUMNS.slice(1),
];
