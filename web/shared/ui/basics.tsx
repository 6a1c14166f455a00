import { type Query, useIsFetching, useQueryClient } from '@tanstack/react-query';
import { type ButtonHTMLAttributes, lazy, type ReactNode, Suspense, useState } from 'react';
import { Link } from 'wouter';
import { isLoyaltyError } from '../../../sdk/index.ts';
import { commonTexts } from '../../texts/en/common.ts';
import { errorText } from '../error-text.ts';
import { moment } from '../format.ts';
import { pointsText } from '../points-text.ts';
import { useOnline } from '../use-online.ts';
import { useSlow } from '../use-slow.ts';
import type { Command } from '../use-submit.ts';
import { Icon, type IconName } from './icons.tsx';
import type { PictureName } from './pictures.tsx';
import { Support } from './support.tsx';

type ButtonLook = {
  kind?: 'primary' | 'plain' | 'danger' | 'brand' | 'quiet';
  size?: 'normal' | 'big' | 'small';
  /** What stands before its words. */
  icon?: IconName;
};

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> &
  ButtonLook & { isRunning?: boolean };

/** A button; while what it started runs, it says so and does nothing. */
export function Button(props: ButtonProps) {
  const { kind, size, icon, isRunning = false, type = 'button', children, ...rest } = props;
  return (
    <button
      {...rest}
      type={type}
      className={classOf(kind, size)}
      aria-busy={isRunning || undefined}
      disabled={rest.disabled === true || isRunning}
    >
      {isRunning && <span className="spinner" aria-hidden="true" />}
      {icon !== undefined && !isRunning && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A link to another page of the app that looks like a button. */
export function ButtonLink(props: ButtonLook & { href: string; children: ReactNode }) {
  const { kind, size, icon, href, children } = props;
  return (
    <Link href={href} className={classOf(kind, size)}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </Link>
  );
}

function classOf(kind: ButtonLook['kind'] = 'plain', size: ButtonLook['size'] = 'normal'): string {
  return `button button-${kind} button-${size}`;
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

const NOTICE_ICONS = { good: 'check', bad: 'alert', plain: 'info' } as const;

/** A message that is read out when it appears. */
export function Notice(props: { kind: 'good' | 'bad' | 'plain'; children: ReactNode }) {
  const role = props.kind === 'bad' ? 'alert' : 'status';
  return (
    <div className={`notice notice-${props.kind}`} role={role}>
      <Icon name={NOTICE_ICONS[props.kind]} />
      <div className="notice-content">{props.children}</div>
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
      {(known === undefined || known.status >= 500) && <Support />}
      {id !== undefined && <p className="muted">{commonTexts.reference(id)}</p>}
      {retry !== undefined && (
        <Button size="small" icon="refresh" onClick={() => void retry()}>
          {commonTexts.retry}
        </Button>
      )}
    </Notice>
  );
}

/** What is said of a command: that it is still being tried, with a way out, or how it failed. */
export function CommandNotice({ command }: { command: Command }) {
  const isSlow = useSlow(command.isRunning);
  if (!isSlow) return <ErrorNotice error={command.error} />;
  return (
    <StillTrying>
      <Button size="small" onClick={command.cancel}>
        {commonTexts.cancel}
      </Button>
    </StillTrying>
  );
}

/** What is said of what people have waited for without an answer. */
export function StillTrying({ children }: { children?: ReactNode }) {
  return (
    <Notice kind="plain">
      <p>{commonTexts.stillTrying}</p>
      {children}
    </Notice>
  );
}

const Picture = lazy(() => import('./pictures.tsx'));

/** What is said where nothing is yet, with what to do about it. */
export function EmptyState(props: {
  picture?: PictureName;
  title: string;
  text?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="empty">
      <Suspense fallback={<span className="picture" />}>
        <Picture name={props.picture ?? 'nothing'} />
      </Suspense>
      <p className="empty-title">{props.title}</p>
      {props.text !== undefined && <p className="muted">{props.text}</p>}
      {props.action}
    </div>
  );
}

/** A state in a word, told apart by more than its color. */
export function Badge(props: { kind: 'good' | 'bad' | 'warn' | 'plain'; children: ReactNode }) {
  return <span className={`badge badge-${props.kind}`}>{props.children}</span>;
}

const PARTS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'] as const;

/** The shape of what is on its way; without a connection, that it comes with the next one. */
export function Skeleton(props: { shape?: 'lines' | 'rows' | 'cards'; count?: number }) {
  const { shape = 'lines', count = 3 } = props;
  const [tries, setTries] = useState(1);
  if (!useOnline()) return <Notice kind="plain">{commonTexts.needsConnection}</Notice>;
  return (
    <>
      <StillReading key={tries} onRetry={() => setTries(tries + 1)} />
      <div className={`skeleton skeleton-${shape}`} role="status">
        <span className="hidden">{commonTexts.loading}</span>
        {PARTS.slice(0, count).map((part) => (
          <span key={part} className="skeleton-part" />
        ))}
      </div>
    </>
  );
}

const isUnanswered = ({ state }: Query) => state.status === 'pending';

/** Says that what is on its way takes long, and offers to ask for it anew. */
function StillReading({ onRetry }: { onRetry(): void }) {
  const queries = useQueryClient();
  const isAsked = useIsFetching({ predicate: isUnanswered }) > 0;
  if (!useSlow(true)) return null;
  const retry = () => {
    void queries.resetQueries({ type: 'active', predicate: isUnanswered });
    onRetry();
  };
  return (
    <StillTrying>
      {/* A part of the app itself is fetched by the browser, which asks in its own time. */}
      {isAsked && (
        <Button size="small" icon="refresh" onClick={retry}>
          {commonTexts.retry}
        </Button>
      )}
    </StillTrying>
  );
}

/** How far something is, as a bar that has words as well. */
export function Meter(props: { value: number; max: number; label: string }) {
  return <meter className="meter" value={props.value} max={props.max} aria-label={props.label} />;
}

/** A check mark that draws itself when something has been done. */
export function DrawnCheck() {
  return (
    <svg className="drawn-check" viewBox="0 0 48 48" aria-hidden="true">
      <path pathLength={1} d="M24 4a20 20 0 110 40 20 20 0 010-40z" />
      <path pathLength={1} d="M15 24.5l6.5 6.5L33.5 18" />
    </svg>
  );
}

/** A number of points, with the word. */
export function Points({ points }: { points: number }) {
  return <span className="tabular">{pointsText(points)}</span>;
}

/** A moment where the person is; programs find the exact one in it. */
export function Moment({ iso }: { iso: string }) {
  return <time dateTime={iso}>{moment(iso)}</time>;
}
