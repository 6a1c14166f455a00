import { ErrorNotice, Loading } from './basics.tsx';

/** Why something came about: in one sentence, then step by step. */
export function Explanation(props: {
  explained: {
    data: { summary: string; steps: readonly string[] } | undefined;
    error: Error | null;
  };
}) {
  const { data, error } = props.explained;
  if (data === undefined) return error === null ? <Loading /> : <ErrorNotice error={error} />;
  return (
    <div className="why">
      <p>{data.summary}</p>
      <ol>
        {data.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </div>
  );
}
