import { useState } from 'react';
import { currencyName, exactTime } from '../shared/format.ts';
import { Notice } from '../shared/ui/basics.tsx';
import { providerTexts as texts } from '../texts/en/providers.ts';
import { useShop } from './shop.tsx';

const { otherCurrency } = texts;

/** Says why a point of sale was not connected, and what to do about it. */
export function FailedConnect(props: {
  /** What the point of sale is called; undefined for one that is not known. */
  label: string | undefined;
  error: string;
  accountCurrency: string | null;
}) {
  const { label, error, accountCurrency } = props;
  const { currency } = useShop();
  // Who tries again and fails again sees that something was done.
  const [at] = useState(() => exactTime(new Date()));
  const why = Object.entries(texts.errors).find(([code]) => code === error)?.[1];
  return (
    <Notice kind="bad">
      <p>
        <strong>{texts.failed(label, at)}</strong>
      </p>
      {error === 'currency_mismatch' && currency !== null && label !== undefined ? (
        <>
          <p>{otherCurrency.what(label, shown(accountCurrency), shown(currency))}</p>
          <p>{otherCurrency.account(label, shown(currency))}</p>
          <p>{otherCurrency.shop(shown(accountCurrency))}</p>
        </>
      ) : (
        <p>{why ?? error}</p>
      )}
    </Notice>
  );
}

/** A currency by its name; what is no code of one comes from no service of ours. */
function shown(code: string | null): string {
  if (code === null || !/^[A-Z]{3}$/.test(code)) return otherCurrency.another;
  return `${currencyName(code)} (${code})`;
}
