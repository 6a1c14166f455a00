import { Slider } from '@base-ui/react/slider';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../shared/client.tsx';
import { money, number } from '../shared/format.ts';
import { pointsText } from '../shared/points-text.ts';
import { Button, ErrorNotice, Points } from '../shared/ui/basics.tsx';
import { DialogEnd } from '../shared/ui/dialog.tsx';
import { Segments } from '../shared/ui/segments.tsx';
import { useSettled } from '../shared/use-settled.ts';
import type { Command } from '../shared/use-submit.ts';
import { walletTexts } from '../texts/en/wallet.ts';
import { presetsOf, stopsOf } from './amounts.ts';
import type { Wallet } from './queries.ts';

const { redeem: texts } = walletTexts;
const SETTLED_AFTER_MS = 200;

/** Chooses how many points to redeem, shows what they take off, and asks for the code. */
export default function Redeem(props: {
  wallet: Wallet;
  /** What was asked for, while it is not known whether it was done: nothing else may be then. */
  sent: number | undefined;
  command: Command;
  onSubmit(points: number): void;
  onClose(): void;
}) {
  const { wallet, sent, command } = props;
  const client = useClient();
  const { min, max } = wallet.redeemable;
  const [chosen, setChosen] = useState(sent ?? max);
  // Less may be redeemable by now than when the dialog was opened.
  const points = Math.min(Math.max(chosen, min), max);
  const settled = useSettled(points, SETTLED_AFTER_MS);
  const preview = useQuery({
    queryKey: ['preview', wallet.id, wallet.balance, settled],
    queryFn: () =>
      client.previewRedemption({ walletId: wallet.id, body: { pointsToRedeem: settled } }),
    placeholderData: keepPreviousData,
    // Once a code may be issued, the balance of which this is asked is not there any more.
    enabled: settled > 0 && settled <= max && sent === undefined,
  });
  const known = preview.data;
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit(points);
      }}
    >
      <div className="chosen" aria-live="polite" aria-busy={points !== settled}>
        <p className="holding-points">{texts.off(money(points, wallet.currency))}</p>
        <p className="muted">
          <Points points={points} />
          {known !== undefined && ` · ${texts.left(known.newBalance, number(known.newBalance))}`}
        </p>
      </div>
      <div className="form" inert={sent !== undefined}>
        <Presets wallet={wallet} points={points} onChoose={setChosen} />
        <Chooser points={points} wallet={wallet} onChoose={setChosen} />
      </div>
      <p className="hint">{texts.life}</p>
      {command.error === null && <ErrorNotice error={preview.error} />}
      <DialogEnd
        submit={texts.submit}
        kind="brand"
        command={command}
        isDisabled={max === 0}
        onClose={props.onClose}
      />
    </form>
  );
}

type ChoiceProps = { wallet: Wallet; points: number; onChoose(points: number): void };

/** Amounts that are chosen with one press. */
function Presets({ wallet: { redeemable, currency }, points, onChoose }: ChoiceProps) {
  const { max } = redeemable;
  // Before the shop has a currency nothing has a worth.
  const presets = currency === null ? [] : presetsOf(redeemable, currency);
  const options = presets.map((value) => ({ value, text: money(value, currency) }));
  return (
    <div className="presets">
      <Segments
        legend={texts.presets}
        options={[...options, { value: max, text: texts.all(money(max, currency)) }]}
        value={points}
        onValue={onChoose}
      />
    </div>
  );
}

function Chooser({ wallet: { redeemable, currency }, points, onChoose }: ChoiceProps) {
  const stops = stopsOf(redeemable);
  const last = stops.length - 1;
  const at = stops.findIndex((stop) => stop >= points);
  const choose = (index: number) => onChoose(stops[index] ?? redeemable.max);
  return (
    <div className="slider-row">
      <Button
        aria-label={texts.fewer}
        disabled={at <= 0}
        icon="minus"
        onClick={() => choose(at - 1)}
      />
      <Slider.Root className="slider" value={at} min={0} max={last} onValueChange={choose}>
        <Slider.Control className="slider-control">
          <Slider.Track className="slider-track">
            <Slider.Indicator className="slider-indicator" />
            <Slider.Thumb
              className="slider-thumb"
              aria-label={texts.slider}
              getAriaValueText={() => `${money(points, currency)}, ${pointsText(points)}`}
            />
          </Slider.Track>
        </Slider.Control>
      </Slider.Root>
      <Button
        aria-label={texts.more}
        disabled={at >= last}
        icon="plus"
        // Between two stops, the next is the one that is shown.
        onClick={() => choose(stops[at] === points ? at + 1 : at)}
      />
    </div>
  );
}
