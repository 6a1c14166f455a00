/** One of a few, all of which are seen: chosen with one press. */
export function Segments<Value extends string | number>(props: {
  /** What is chosen, for those who do not see it. */
  legend: string;
  options: readonly { value: Value; text: string }[];
  value: Value;
  onValue(value: NoInfer<Value>): void;
}) {
  return (
    <fieldset className="segments">
      <legend className="hidden">{props.legend}</legend>
      {props.options.map(({ value, text }) => (
        <button
          key={value}
          type="button"
          className="segment"
          aria-pressed={props.value === value}
          onClick={() => props.onValue(value)}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}
