import { type InputHTMLAttributes, type ReactNode, useId } from 'react';

type Labelled = {
  label: string;
  /** What helps to fill it in. */
  hint?: ReactNode;
  /** What is wrong with what was filled in. */
  problem?: string | undefined;
};

/** The id of a field, and of what describes it. */
export function useDescription({ hint, problem }: Omit<Labelled, 'label'>) {
  const id = useId();
  const ids = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-problem`];
  return { id, describedBy: ids.filter((one) => one !== false).join(' ') || undefined };
}

/** What stands around a field: its label, what helps, and what is wrong. */
export function Surrounded(props: Labelled & { id: string; children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={props.id}>{props.label}</label>
      {props.children}
      {props.hint !== undefined && (
        <p className="hint" id={`${props.id}-hint`}>
          {props.hint}
        </p>
      )}
      {props.problem !== undefined && (
        <p className="problem" id={`${props.id}-problem`} role="alert">
          {props.problem}
        </p>
      )}
    </div>
  );
}

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'id' | 'className'>;

/** A line of text with its label. */
export function TextField(
  props: Labelled & InputProps & { value: string; onText(text: string): void },
) {
  const { label, hint, problem, onText, ...input } = props;
  const { id, describedBy } = useDescription(props);
  return (
    <Surrounded id={id} label={label} hint={hint} problem={problem}>
      <input
        {...input}
        id={id}
        aria-describedby={describedBy}
        aria-invalid={problem !== undefined || undefined}
        onChange={(event) => onText(event.target.value)}
      />
    </Surrounded>
  );
}

/** Several lines of text with their label. */
export function LongTextField(
  props: Labelled & {
    value: string;
    onText(text: string): void;
    required?: boolean;
    maxLength?: number;
  },
) {
  const { label, hint, problem, onText, ...input } = props;
  const { id, describedBy } = useDescription(props);
  return (
    <Surrounded id={id} label={label} hint={hint} problem={problem}>
      <textarea
        {...input}
        id={id}
        rows={3}
        aria-describedby={describedBy}
        onChange={(event) => onText(event.target.value)}
      />
    </Surrounded>
  );
}

/** One of several values, chosen in the browser's own list, which every device knows. */
export function SelectField<Value extends string>(
  props: Labelled & {
    value: Value;
    options: readonly { value: Value; text: string }[];
    onValue(value: NoInfer<Value>): void;
  },
) {
  const { label, hint, problem, value, options } = props;
  const { id, describedBy } = useDescription(props);
  return (
    <Surrounded id={id} label={label} hint={hint} problem={problem}>
      <select
        id={id}
        value={value}
        aria-describedby={describedBy}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value);
          if (chosen !== undefined) props.onValue(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </Surrounded>
  );
}

/** Yes or no; what is required has to be yes. */
export function CheckField(props: {
  label: string;
  required?: boolean;
  checked: boolean;
  onCheck(on: boolean): void;
}) {
  const id = useId();
  return (
    <div className="check-field">
      <input
        id={id}
        type="checkbox"
        required={props.required}
        checked={props.checked}
        onChange={(event) => props.onCheck(event.target.checked)}
      />
      <label htmlFor={id}>{props.label}</label>
    </div>
  );
}
