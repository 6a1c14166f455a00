import { lazy, Suspense, useEffect, useId, useState } from 'react';
import { useParams } from 'wouter';
import { useClient } from '../shared/client.tsx';
import { grouped } from '../shared/format.ts';
import { pointsText } from '../shared/points-text.ts';
import { Button, ErrorNotice, Skeleton } from '../shared/ui/basics.tsx';
import { Branded } from '../shared/ui/branded.tsx';
import { FormDialog } from '../shared/ui/dialog.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { useOnline } from '../shared/use-online.ts';
import { useSubmit } from '../shared/use-submit.ts';
import { itemOf, worthOf } from '../shared/worth.ts';
import { commonTexts } from '../texts/en/common.ts';
import { walletTexts } from '../texts/en/wallet.ts';
import { Logo } from './home.tsx';
import { type Redemption, useNow, useRedemption, useWallet } from './queries.ts';
import { NotKept } from './visits.tsx';

const ClosedCode = lazy(() => import('./closed-code.tsx'));
const QrCode = lazy(() => import('../shared/ui/qr.tsx'));
const { code: texts } = walletTexts;

/** One code: to show at the till, or what has become of it. */
export function CodePage() {
  const { redemptionId = '' } = useParams();
  const redemption = useRedemption(redemptionId);
  const isOnline = useOnline();
  const now = useNow();
  const wallet = useWallet(redemption.data?.walletId ?? '');
  if (redemption.data === undefined) {
    if (redemption.error !== null) return <ErrorNotice error={redemption.error} />;
    return isOnline ? <Skeleton /> : <NotKept />;
  }
  const { status, code, expiresAt } = redemption.data;
  // The clock is up to a second behind the service's: rounded up, a new code has 15:01.
  const seconds = Math.max(0, Math.floor((Date.parse(expiresAt) - now) / 1000));
  return (
    <Branded color={wallet?.tenant.branding.color ?? null}>
      {status === 'issued' && code !== null && seconds > 0 ? (
        <OpenCode redemption={redemption.data} code={code} seconds={seconds} />
      ) : (
        <>
          <Head redemption={redemption.data} />
          <Suspense fallback={<Skeleton />}>
            <ClosedCode redemption={redemption.data} />
          </Suspense>
        </>
      )}
    </Branded>
  );
}

function Head({ redemption }: { redemption: Redemption }) {
  const { walletId, tenant } = redemption;
  const wallet = useWallet(walletId);
  return (
    <div className="code-head">
      <PageTitle back={{ href: '/codes', text: texts.back }}>
        {itemOf(redemption) ?? texts.title(worthOf(redemption))}
      </PageTitle>
      <p className="code-shop">
        {wallet !== undefined && <Logo tenant={wallet.tenant} />}
        {texts.at(tenant.name)}
      </p>
    </div>
  );
}

function OpenCode(props: { redemption: Redemption; code: string; seconds: number }) {
  const { redemption, code, seconds } = props;
  const id = useId();
  useAwakeScreen();
  const left = texts.left(Math.floor(seconds / 60), String(seconds % 60).padStart(2, '0'));
  return (
    <div className="code-page">
      <Head redemption={redemption} />
      <div className="code-qr">
        <Qr code={code} />
        <button
          type="button"
          className="code-enlarge"
          aria-label={texts.enlarge}
          popoverTarget={id}
        />
      </div>
      <section className="code-side" aria-label={texts.show}>
        <p className="muted">{texts.show}</p>
        <p className="code-text">{grouped(code)}</p>
        <p className="number code-left" role="timer">
          {left}
        </p>
        <div className="code-actions">
          <Copy text={code} />
          <Cancel redemption={redemption} />
        </div>
      </section>
      <div id={id} popover="auto" className="code-full">
        <Qr code={code} />
        <div className="code-full-side">
          <p className="code-text">{grouped(code)}</p>
          <p className="number code-left">{left}</p>
          <button
            type="button"
            className="button button-plain"
            popoverTarget={id}
            popoverTargetAction="hide"
          >
            {commonTexts.close}
          </button>
        </div>
      </div>
    </div>
  );
}

function Qr({ code }: { code: string }) {
  return (
    <Suspense fallback={<div className="qr" />}>
      <QrCode text={code} label={walletTexts.code.qr(code)} />
    </Suspense>
  );
}

function Copy({ text }: { text: string }) {
  const [isDone, setDone] = useState(false);
  // Browsers have a clipboard on secure pages only.
  if (!('clipboard' in navigator)) return null;
  const copy = () => navigator.clipboard.writeText(text).then(() => setDone(true));
  return (
    <Button icon="copy" onClick={() => void copy().catch(() => setDone(false))}>
      <span aria-live="polite">{isDone ? texts.copied : texts.copy}</span>
    </Button>
  );
}

function Cancel({ redemption }: { redemption: Redemption }) {
  const client = useClient();
  const isOnline = useOnline();
  const [isOpen, setOpen] = useState(false);
  const { id, walletId, points } = redemption;
  const cancel = useSubmit({
    send: (_: undefined, attempt) => client.cancelRedemption({ redemptionId: id }, attempt),
    changes: [['redemption', id], ['redemptions'], ['wallets'], ['history', walletId]],
    onDone: () => setOpen(false),
  });
  return (
    <>
      <Button disabled={!isOnline} onClick={() => setOpen(true)}>
        {texts.cancel}
      </Button>
      <FormDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={texts.cancelTitle}
        submit={texts.cancel}
        close={texts.keep}
        kind="danger"
        command={cancel}
        onSubmit={() => cancel.submit(undefined)}
      >
        <p>{texts.cancelWhat(pointsText(points))}</p>
      </FormDialog>
    </>
  );
}

/** Keeps the screen on while a code is shown, where the browser can. */
function useAwakeScreen(): void {
  useEffect(() => {
    if (!('wakeLock' in navigator)) return;
    let lock: Promise<WakeLockSentinel | undefined> | undefined;
    // The browser lets it go when the page is put aside, and does not take it up again.
    const hold = () => {
      if (document.visibilityState !== 'visible') return;
      lock = navigator.wakeLock.request('screen').catch(() => undefined);
    };
    hold();
    document.addEventListener('visibilitychange', hold);
    return () => {
      document.removeEventListener('visibilitychange', hold);
      void lock?.then((held) => held?.release());
    };
  }, []);
}
