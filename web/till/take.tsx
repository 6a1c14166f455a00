import { lazy, Suspense, useState } from 'react';
import { isLoyaltyError } from '../../sdk/index.ts';
import { type Schema, useClient } from '../shared/client.tsx';
import { moment, money, timeOfDay } from '../shared/format.ts';
import { Button, ErrorNotice, Notice, Skeleton } from '../shared/ui/basics.tsx';
import { Dialog } from '../shared/ui/dialog.tsx';
import { TextField } from '../shared/ui/fields.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { Icon } from '../shared/ui/icons.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { tillTexts } from '../texts/till.ts';
import { useShop } from './shop.tsx';
import { useUsedToday } from './used.ts';

const Scanner = lazy(() => import('./scanner.tsx'));

const { code: texts, found: foundTexts, state: stateTexts, done: doneTexts } = tillTexts;
const CODE_LENGTH = 12;

type Found = Awaited<ReturnType<ReturnType<typeof useClient>['lookupRedemption']>>;

/** The code in what was typed, read out or scanned: groups and small letters do not matter. */
function codeIn(text: string): string {
  return text.toUpperCase().replace(/[^0-9A-Z]/g, '');
}

/** Takes codes: look one up, see what it is worth, take it, and on to the next. */
export function TakePage() {
  const client = useClient();
  const { id: shop } = useShop();
  const [text, setText] = useState('');
  const lookup = useSubmit({
    send: (code: string) => client.lookupRedemption({ body: { code } }, { shop }),
    changes: [],
  });
  const take = useSubmit({
    send: (code: string, attempt) =>
      client.completeRedemption({ body: { code } }, { shop, ...attempt }),
    changes: [['used']],
    // Another till may have taken it meanwhile: the answer then says when.
    onRefused: (_error, code) => lookup.submit(code),
  });
  const next = () => {
    setText('');
    lookup.reset();
    take.reset();
  };
  const look = (code: string) => {
    take.reset();
    setText(code);
    lookup.submit(code);
  };

  if (take.result !== undefined) return <Done {...take.result} onNext={next} />;
  return (
    <>
      <PageTitle>{tillTexts.pages.take}</PageTitle>
      {lookup.result === undefined ? (
        <Enter
          text={text}
          onText={setText}
          onCode={look}
          isRunning={lookup.isRunning}
          error={lookup.error}
        />
      ) : (
        <FoundCode
          found={lookup.result}
          isRunning={take.isRunning}
          error={take.error}
          onTake={() => take.submit(codeIn(text))}
          onNext={next}
        />
      )}
    </>
  );
}

function Enter(props: {
  text: string;
  onText(text: string): void;
  onCode(code: string): void;
  isRunning: boolean;
  error: Error | null;
}) {
  const [problem, setProblem] = useState<string>();
  const [isScanning, setScanning] = useState(false);
  const submit = () => {
    const code = codeIn(props.text);
    setProblem(code.length === CODE_LENGTH ? undefined : texts.incomplete);
    if (code.length === CODE_LENGTH) props.onCode(code);
  };
  const isUnknown = isLoyaltyError(props.error) && props.error.status === 404;
  return (
    <form
      className="enter"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Button kind="primary" size="big" onClick={() => setScanning(true)}>
        <Icon name="camera" />
        {texts.scan}
      </Button>
      <TextField
        label={texts.label}
        hint={texts.hint}
        problem={problem ?? (isUnknown ? texts.unknown : undefined)}
        value={props.text}
        onText={(text) => props.onText(text.toUpperCase())}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        inputMode="text"
        maxLength={24}
      />
      {!isUnknown && <ErrorNotice error={props.error} />}
      <Button type="submit" size="big" isRunning={props.isRunning}>
        {texts.look}
      </Button>
      <Dialog isOpen={isScanning} onClose={() => setScanning(false)} title={tillTexts.camera.title}>
        <Suspense fallback={<Skeleton />}>
          <Scanner
            onCode={(scanned) => {
              setScanning(false);
              props.onCode(codeIn(scanned));
            }}
          />
        </Suspense>
      </Dialog>
    </form>
  );
}

function FoundCode(props: {
  found: Found;
  isRunning: boolean;
  error: Error | null;
  onTake(): void;
  onNext(): void;
}) {
  const { found } = props;
  const amount = money(found.discountValueMinorUnits, found.currency);
  const canBeTaken = found.status === 'issued';
  return (
    <section className="found" aria-labelledby="found-amount">
      <div className="card">
        <p className="shop-name">{found.tenant.name}</p>
        <p className={canBeTaken ? 'amount' : 'amount amount-gone'} id="found-amount">
          {amount} <small>{foundTexts.worth}</small>
        </p>
        <p>{foundTexts.of(found.customer.initials)}</p>
        {canBeTaken && <p className="muted">{foundTexts.until(timeOfDay(found.expiresAt))}</p>}
        <p className="code">{found.code}</p>
      </div>
      {!canBeTaken && <Gone found={found} />}
      {canBeTaken && <ErrorNotice error={props.error} />}
      <div className="at-hand">
        {canBeTaken && (
          <Button kind="primary" size="big" isRunning={props.isRunning} onClick={props.onTake}>
            {foundTexts.take(amount)}
          </Button>
        )}
        <Button size="big" kind={canBeTaken ? 'plain' : 'primary'} onClick={props.onNext}>
          {foundTexts.another}
        </Button>
      </div>
    </section>
  );
}

/** Why a code cannot be taken, and for one that was used: when, and by whom. */
function Gone({ found }: { found: Found }) {
  const today = useUsedToday();
  if (found.status === 'expired') {
    return (
      <Notice kind="bad">{found.cancelled ? stateTexts.cancelled : stateTexts.expired}</Notice>
    );
  }
  if (found.usedAt === null) return null;
  const when = moment(found.usedAt);
  const who = today.items?.find(({ usedAt }) => usedAt === found.usedAt)?.usedBy.email;
  return (
    <Notice kind="bad">
      <p>{who ? stateTexts.usedBy(when, who) : stateTexts.used(when)}</p>
      <p>{stateTexts.elsewhere}</p>
    </Notice>
  );
}

type Taken = Pick<Schema['UsedRedemption'], 'discountValueMinorUnits' | 'currency'>;

function Done({ discountValueMinorUnits, currency, onNext }: Taken & { onNext(): void }) {
  return (
    <section className="done">
      <PageTitle>{doneTexts.title}</PageTitle>
      <div className="card done-card" role="status">
        <Icon name="check" />
        <p className="amount">{money(discountValueMinorUnits, currency)}</p>
        <p>{doneTexts.take(money(discountValueMinorUnits, currency))}</p>
      </div>
      <div className="at-hand">
        <Button kind="primary" size="big" onClick={onNext} autoFocus>
          {doneTexts.next}
        </Button>
      </div>
    </section>
  );
}
