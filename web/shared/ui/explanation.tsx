import type { CodedSentence, Reader } from '../../texts/texts.ts';
import { sentence } from '../sentence.ts';
import { ErrorNotice, Skeleton } from './basics.tsx';

/** Why something came about: in one sentence, then step by step. */
export function Explanation(props: {
  to: Reader;
  explained: {
    data: { coded: { summary: CodedSentence; steps: readonly CodedSentence[] } } | undefined;
    error: Error | null;
  };
}) {
  const { data, error } = props.explained;
  if (data === undefined) return error === null ? <Skeleton /> : <ErrorNotice error={error} />;
  const { summary, steps } = data.coded;
  const lines = steps.map((step) => sentence(step, props.to));
  return (
    <div className="why">
      <p>{sentence(summary, props.to)}</p>
      <ol>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
    </div>
  );
}
