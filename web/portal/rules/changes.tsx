import type { Change } from './words.ts';

/** What differs between two rules, part by part: what it was, and what it is. */
export function Changes({ label, changes }: { label: string; changes: readonly Change[] }) {
  return (
    <div>
      <p className="muted">{label}</p>
      <ul className="changes" aria-label={label}>
        {changes.map(({ name, before, after }) => (
          <li key={name}>
            {name}: <del>{before}</del> → <ins>{after}</ins>
          </li>
        ))}
      </ul>
    </div>
  );
}
