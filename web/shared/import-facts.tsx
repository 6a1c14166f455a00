import { importTexts as texts } from '../texts/en/imports.ts';
import type { Schema } from './client.tsx';
import { moment, number } from './format.ts';
import { pointsText } from './points-text.ts';
import { Badge } from './ui/basics.tsx';

type Import = Schema['Import'];

const KINDS = {
  draft: 'warn',
  running: 'warn',
  done: 'good',
  withdrawn: 'plain',
  reverting: 'warn',
  reverted: 'plain',
} as const;

/** The lines of an import, in words. */
export function rowsOf({ rows }: Pick<Import, 'rows'>): string {
  return texts.rows(rows, number(rows));
}

/** What an import is, whose if that is told, what became of it, and which lines were left out. */
export function ImportFacts({ item, shop }: { item: Import; shop?: string }) {
  const { status, points, createdAt, notTaken } = item;
  const when = texts.uploadedAt(moment(createdAt));
  const sum = [rowsOf(item), pointsText(points), ...(shop === undefined ? [] : [when])];
  return (
    <>
      <div className="rule-head">
        <strong>{shop ?? when}</strong>
        <Badge kind={KINDS[status]}>{texts.status[status]}</Badge>
      </div>
      <p>{sum.join(' · ')}</p>
      <Mistakes item={item} />
      {notTaken > 0 && <p>{texts.notTaken(pointsText(notTaken))}</p>}
    </>
  );
}

/** How many customers have their points, and how many wait; nothing where that is not told. */
export function importCounts(item: Import): string | undefined {
  const { status, matched, waiting, repeated } = item;
  if (status === 'withdrawn' || status === 'reverted') return undefined;
  if (matched === null || waiting === null || repeated === null) return undefined;
  return [
    texts.matched(matched, number(matched)),
    ...(waiting > 0 ? [texts.waiting(waiting, number(waiting))] : []),
    ...(repeated > 0 ? [texts.repeated(number(repeated))] : []),
  ].join(' · ');
}

const MOST_NAMED = 100;

function Mistakes({ item: { invalid } }: { item: Import }) {
  const { length } = invalid;
  if (length === 0) return null;
  const title = length < MOST_NAMED ? texts.mistakes(length, number(length)) : texts.most;
  return (
    <details>
      <summary>{title}</summary>
      <ul>
        {invalid.map(({ line, code }) => (
          <li key={line}>{texts.mistake(number(line), wordsOf(code))}</li>
        ))}
      </ul>
    </details>
  );
}

function wordsOf(code: string): string {
  const words: Readonly<Record<string, string>> = texts.mistakesOf;
  return words[code] ?? code;
}
