import type { ReactNode } from 'react';
import { isLoyaltyError } from '../../sdk/index.ts';
import { colleagueName } from '../shared/colleague.ts';
import { errorText } from '../shared/error-text.ts';
import { grouped, moment, timeOfDay } from '../shared/format.ts';
import { Button, DrawnCheck } from '../shared/ui/basics.tsx';
import { Icon } from '../shared/ui/icons.tsx';
import { itemOf, worthOf } from '../shared/worth.ts';
import { commonTexts } from '../texts/en/common.ts';
import { tillTexts } from '../texts/en/till.ts';
import type { Found, Step } from './checkout.ts';
import { useCheckout } from './use-checkout.tsx';

const { found: foundTexts, state: stateTexts, done: doneTexts, trouble: texts } = tillTexts;

/** What the till says of the code that it is about, as big as the screen allows. */
export function CodePanel() {
  const { now, enter, cancel } = useCheckout();
  const { step, waiting } = now;
  if (step.at === 'ready') return null;
  return (
    <section className={`panel panel-${step.at}`} aria-label={texts.panel}>
      <Said step={step} />
      {waiting !== undefined && <p>{texts.waiting(grouped(waiting))}</p>}
      <Actions step={step} onEnter={enter} onCancel={cancel} />
    </section>
  );
}

function Said({ step }: { step: Exclude<Step, { at: 'ready' }> }) {
  switch (step.at) {
    case 'looking':
      return <Looking code={step.code} isSlow={step.isSlow} />;
    case 'found':
      return <FoundCode found={step.found} />;
    case 'taking':
      return (
        <>
          <FoundCode found={step.found} />
          {step.isSlow && <p role="status">{commonTexts.stillTrying}</p>}
        </>
      );
    case 'taken':
      return <Taken found={step.found} />;
    case 'refused':
      return <Refused step={step} />;
    case 'failed':
      return <Trouble title={texts.failed} error={step.error} />;
    case 'unsure':
      return <Trouble title={unsureOf(step.found)} error={step.error} />;
  }
}

function unsureOf(found: Found): string {
  return (itemOf(found) === undefined ? texts.unsure : texts.unsureOfItem)(worthOf(found));
}

function Looking({ code, isSlow }: { code: string; isSlow: boolean }) {
  return (
    <>
      <p className="code">{grouped(code)}</p>
      <p role="status">{isSlow ? commonTexts.stillTrying : texts.looking}</p>
    </>
  );
}

function FoundCode({ found }: { found: Found }) {
  return (
    <div role="status">
      <p className="amount">
        {worthOf(found)} {itemOf(found) === undefined && <small>{foundTexts.worth}</small>}
      </p>
      <p>{foundTexts.of(found.customer.initials)}</p>
      <p className="muted">{foundTexts.until(timeOfDay(found.expiresAt))}</p>
    </div>
  );
}

function Taken({ found }: { found: Found }) {
  return (
    <div role="status">
      <DrawnCheck />
      <p className="amount">{worthOf(found)}</p>
      <p>{(itemOf(found) === undefined ? doneTexts.take : doneTexts.handOut)(worthOf(found))}</p>
    </div>
  );
}

function Refused({ step }: { step: Extract<Step, { at: 'refused' }> }) {
  const { found, error } = step;
  return (
    <div role="alert">
      <Icon name="alert" />
      {found !== undefined && (
        <p className="amount">
          <s>{worthOf(found)}</s> {itemOf(found) === undefined && <small>{foundTexts.worth}</small>}
        </p>
      )}
      <p className="why-not">{whyNot(step)}</p>
      {found === undefined && error === undefined && <p className="code">{grouped(step.code)}</p>}
      {found?.status === 'used' && <p>{stateTexts.elsewhere}</p>}
    </div>
  );
}

function whyNot({ found, error }: Extract<Step, { at: 'refused' }>): string {
  if (found?.usedAt) {
    const when = moment(found.usedAt);
    return found.usedBy
      ? stateTexts.usedBy(when, colleagueName(found.usedBy, tillTexts.today.somebody))
      : stateTexts.used(when);
  }
  if (found !== undefined) return found.cancelled ? stateTexts.cancelled : stateTexts.expired;
  return error === undefined ? stateTexts.unknown : textOf(error);
}

function textOf(error: Error): string {
  return isLoyaltyError(error) ? errorText(error) : commonTexts.broken;
}

function Trouble({ title, error }: { title: string; error: Error | undefined }) {
  return (
    <div role="alert">
      <Icon name="offline" />
      <p className="why-not">{title}</p>
      {error !== undefined && <p>{textOf(error)}</p>}
    </div>
  );
}

/** What can be done now, where the thumb is; the first is what Enter does. */
function Actions(props: { step: Step; onEnter(): void; onCancel(): void }): ReactNode {
  const { step, onEnter, onCancel } = props;
  const leave = (text: string) => (
    <Button size="big" onClick={onCancel}>
      {text}
    </Button>
  );
  switch (step.at) {
    case 'ready':
    case 'taken':
      return null;
    case 'looking':
      return step.isSlow ? leave(commonTexts.cancel) : null;
    case 'found':
    case 'taking':
      return (
        <div className="at-hand">
          <Button
            kind="primary"
            size="big"
            isRunning={step.at === 'taking'}
            aria-disabled={step.at === 'found' && !step.isReadable}
            onClick={onEnter}
          >
            {(itemOf(step.found) === undefined ? foundTexts.take : foundTexts.handOut)(
              worthOf(step.found),
            )}
          </Button>
          {step.at === 'found' && leave(foundTexts.another)}
          {step.at === 'taking' && step.isSlow && leave(commonTexts.cancel)}
        </div>
      );
    case 'refused':
      return leave(doneTexts.next);
    case 'failed':
    case 'unsure':
      return (
        <div className="at-hand">
          <Button kind="primary" size="big" onClick={onEnter}>
            {commonTexts.retry}
          </Button>
          {leave(texts.leave)}
        </div>
      );
  }
}
