import { Slider } from '@base-ui/react/slider';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useClient } from '../shared/client.tsx';
import { money, number } from '../shared/format.ts';
import { Button, ErrorNotice, Points } from '../shared/ui/basics.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { commonTexts } from '../texts/common.ts';
import { walletTexts } from '../texts/wallet.ts';
import type { Wallet } from './queries.ts';

const { redeem: texts } = walletTexts;
const SETTLED_AFTER_MS = 200;

/** Chooses how many points to redeem, shows what they take off, and gets the code. */
export default function Redeem({ wallet, onClose }: { wallet: Wallet; onClose(): void }) {
  const client = useClient();
  const [, navigate] = useLocation();
  const { min, max } = wallet.redeemable;
  const [chosen, setChosen] = useState(max);
  // Less may be redeemable by now than when the dialog was opened.
  const points = Math.min(Math.max(chosen, min), max);
  const settled = useSettled(points);
  const preview = useQuery({
    queryKey: ['preview', wallet.id, wallet.balance, settled],
    queryFn: () =>
      client.previewRedemption({ walletId: wallet.id, body: { pointsToRedeem: settled } }),
    placeholderData: keepPreviousData,
    enabled: max > 0,
  });
  const confirm = useSubmit({
    send: (pointsToRedeem: number, attempt) =>
      client.confirmRedemption({ walletId: wallet.id, body: { pointsToRedeem } }, attempt),
    changes: [['wallets'], ['redemptions'], ['history', wallet.id]],
    onDone: ({ redemptionId }) => navigate(`/codes/${redemptionId}`),
  });
  const known = preview.data;
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        confirm.submit(points);
      }}
    >
      <p className="holding-points">
        <Points points={points} />
      </p>
      <Chooser points={points} redeemable={wallet.redeemable} onChoose={setChosen} />
      <p aria-live="polite" aria-busy={points !== settled || preview.isFetching}>
        {known !== undefined && (
          <>
            {texts.gives} <strong>{money(known.discountValueMinorUnits, known.currency)}</strong>
            {' · '}
            <span className="muted">{texts.left(number(known.newBalance))}</span>
          </>
        )}
      </p>
      <p className="hint">{texts.life}</p>
      <ErrorNotice error={confirm.error ?? preview.error} />
      <div className="actions">
        <Button onClick={onClose}>{commonTexts.cancel}</Button>
        <Button type="submit" kind="primary" isRunning={confirm.isRunning} disabled={max === 0}>
          {texts.submit}
        </Button>
      </div>
    </form>
  );
}

function Chooser(props: {
  points: number;
  redeemable: Wallet['redeemable'];
  onChoose(points: number): void;
}) {
  const { points, onChoose } = props;
  const { min, max } = props.redeemable;
  return (
    <div className="slider-row">
      <Button
        aria-label={texts.fewer}
        disabled={points <= min}
        onClick={() => onChoose(points - 1)}
      >
        −
      </Button>
      <Slider.Root
        className="slider"
        value={points}
        min={min}
        max={max}
        largeStep={Math.max(1, Math.round((max - min) / 10))}
        onValueChange={onChoose}
      >
        <Slider.Control className="slider-control">
          <Slider.Track className="slider-track">
            <Slider.Indicator className="slider-indicator" />
            <Slider.Thumb className="slider-thumb" aria-label={texts.slider} />
          </Slider.Track>
        </Slider.Control>
      </Slider.Root>
      <Button aria-label={texts.more} disabled={points >= max} onClick={() => onChoose(points + 1)}>
        +
      </Button>
    </div>
  );
}

/** A value once it has not changed for a moment: not each step of a slider is asked about. */
function useSettled(value: number): number {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
