import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useParams } from 'wouter';
import { useClient } from '../shared/client.tsx';
import { moment, money, number } from '../shared/format.ts';
import { Button, ErrorNotice, Notice, Skeleton } from '../shared/ui/basics.tsx';
import { FormDialog } from '../shared/ui/dialog.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { Icon } from '../shared/ui/icons.tsx';
import { useOnline } from '../shared/use-online.ts';
import { useSubmit } from '../shared/use-submit.ts';
import { commonTexts } from '../texts/common.ts';
import { grouped, walletTexts } from '../texts/wallet.ts';
import { type Redemption, useNow, useRedemption } from './queries.ts';

const QrCode = lazy(() => import('./qr.tsx'));
const { code: texts } = walletTexts;

/** One code: to show at the till, or what has become of it. */
export function CodePage() {
  const { redemptionId = '' } = useParams();
  const redemption = useRedemption(redemptionId);
  if (redemption.data === undefined) {
    return redemption.error === null ? <Skeleton /> : <ErrorNotice error={redemption.error} />;
  }
  const { discountValueMinorUnits, currency, tenant, status, code } = redemption.data;
  return (
    <>
      <PageTitle back={{ href: '/codes', text: texts.back }}>
        {texts.title(money(discountValueMinorUnits, currency))}
      </PageTitle>
      <p>{texts.at(tenant.name)}</p>
      {status === 'issued' && code !== null ? (
        <OpenCode redemption={redemption.data} code={code} />
      ) : (
        <ClosedCode redemption={redemption.data} />
      )}
    </>
  );
}

function OpenCode({ redemption, code }: { redemption: Redemption; code: string }) {
  const now = useNow();
  const seconds = Math.max(0, Math.ceil((Date.parse(redemption.expiresAt) - now) / 1000));
  useAwakeScreen();
  if (seconds === 0) return <Notice kind="plain">{texts.over}</Notice>;
  const left = texts.left(Math.floor(seconds / 60), String(seconds % 60).padStart(2, '0'));
  return (
    <section className="card code-card" aria-label={texts.show}>
      <p>{texts.show}</p>
      <Suspense fallback={<div className="qr" />}>
        <QrCode text={code} />
      </Suspense>
      <p className="code-text">{grouped(code)}</p>
      <p className="number" role="timer">
        {left}
      </p>
      <div className="code-actions">
        <Copy text={code} />
        <Cancel redemption={redemption} />
      </div>
    </section>
  );
}

function Copy({ text }: { text: string }) {
  const [isDone, setDone] = useState(false);
  // Browsers have a clipboard on secure pages only.
  if (!('clipboard' in navigator)) return null;
  const copy = () => navigator.clipboard.writeText(text).then(() => setDone(true));
  return (
    <Button onClick={() => void copy().catch(() => setDone(false))}>
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
        isRunning={cancel.isRunning}
        error={cancel.error}
        onSubmit={() => cancel.submit(undefined)}
      >
        <p>{texts.cancelWhat(commonTexts.points(points, number(points)))}</p>
      </FormDialog>
    </>
  );
}

function ClosedCode({ redemption }: { redemption: Redemption }) {
  const { usedAt, cancelled } = redemption;
  if (usedAt !== null) {
    return (
      <section className="card done-card" role="status">
        <Icon name="check" />
        <p>{texts.used(moment(usedAt))}</p>
      </section>
    );
  }
  return (
    <Notice kind="plain">
      <p>{cancelled ? texts.cancelled : texts.expired}</p>
      <PointsBack redemption={redemption} />
    </Notice>
  );
}

/** Says that the points came back if the ledger says so: an installation may keep them. */
function PointsBack({ redemption: { id, walletId } }: { redemption: Redemption }) {
  const client = useClient();
  const history = useQuery({
    queryKey: ['history', walletId, 'newest'],
    queryFn: () => client.listWalletHistory({ walletId, limit: 100 }),
  });
  const entry = history.data?.find(
    ({ sourceId, entry_type }) => sourceId === id && entry_type === 'credit',
  );
  if (entry === undefined) return null;
  const { points } = entry;
  return <p>{texts.pointsBack(commonTexts.points(points, number(points)))}</p>;
}

/** Keeps the screen on while a code is shown, where the browser can. */
function useAwakeScreen(): void {
  useEffect(() => {
    if (!('wakeLock' in navigator)) return;
    const lock = navigator.wakeLock.request('screen').catch(() => undefined);
    return () => void lock.then((held) => held?.release());
  }, []);
}
