import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { isLoyaltyError } from '../../../sdk/index.ts';
import { commonTexts, errorText } from '../../texts/common.ts';
import { moment, money, number } from '../format.ts';
import { useOnline } from '../use-online.ts';

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & {
  kind?: 'primary' | 'plain' | 'danger';
  size?: 'normal' | 'big' | 'small';
  isRunning?: boolean;
};

/** A button; while what it started runs, it says so and does nothing. */
export function Button(props: ButtonProps) {
  const { kind = 'plain', size = 'normal', isRunning = false, type = 'button', ...rest } = props;
  return (
    <button
      {...rest}
      type={type}
      className={`button button-${kind} button-${size}`}
      aria-busy={isRunning || undefined}
      disabled={rest.disabled === true || isRunning}
    />
  );
}

/** A part of a page with its own heading. */
export function Section(props: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className="section">
      <div className="section-head">
        <h2>{props.title}</h2>
        {props.action}
      </div>
      {props.children}
    </section>
  );
}

/** A message that is read out when it appears. */
export function Notice(props: { kind: 'good' | 'bad' | 'plain'; children: ReactNode }) {
  const role = props.kind === 'bad' ? 'alert' : 'status';
  return (
    <div className={`notice notice-${props.kind}`} role={role}>
      {props.children}
    </div>
  );
}

/** What went wrong, in words, with what to quote when asking for help. */
export function ErrorNotice({ error, retry }: { error: Error | null; retry?: () => unknown }) {
  if (error === null) return null;
  const known = isLoyaltyError(error) ? error : undefined;
  const id = known !== undefined && known.status >= 500 ? known.correlationId : undefined;
  return (
    <Notice kind="bad">
      <p>{known === undefined ? commonTexts.broken : errorText(known)}</p>
      {id !== undefined && <p className="muted">{commonTexts.reference(id)}</p>}
      {retry !== undefined && (
        <Button size="small" onClick={() => void retry()}>
          {commonTexts.retry}
        </Button>
      )}
    </Notice>
  );
}

/** A state in a word, told apart by more than its color. */
export function Badge(props: { kind: 'good' | 'bad' | 'warn' | 'plain'; children: ReactNode }) {
  return <span className={`badge badge-${props.kind}`}>{props.children}</span>;
}

/** What stands in place of what is on its way, or comes with the next connection. */
export function Loading() {
  if (!useOnline()) return <Notice kind="plain">{commonTexts.needsConnection}</Notice>;
  return (
    <p className="loading" role="status">
      {commonTexts.loading}
    </p>
  );
}

/** An amount with its currency. */
export function Money(props: { minorUnits: number; currency: string | null }) {
  return <span className="number">{money(props.minorUnits, props.currency)}</span>;
}

/** A number of points, with the word. */
export function Points({ points }: { points: number }) {
  return <span className="number">{commonTexts.points(points, number(points))}</span>;
}

/** A moment where the person is; programs find the exact one in it. */
export function Moment({ iso }: { iso: string }) {
  return <time dateTime={iso}>{moment(iso)}</time>;
}
