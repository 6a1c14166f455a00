import { useSearchParams } from 'wouter';
import { keysOf } from '../shared/keys-of.ts';
import { type Days, lastDates } from '../shared/period.ts';
import { SelectField, TextField } from '../shared/ui/fields.tsx';
import { placeOf, shownZone } from '../shared/zone.ts';
import { portalTexts } from '../texts/en/portal.ts';

const { period: texts } = portalTexts;

type Name = keyof typeof texts.names;
const NAMES = keysOf(texts.names);

export type Period = { name: Name; days: Days };

/** Finds a period in an address, where one is, and else takes the one that is usual on the page. */
export function periodIn(search: URLSearchParams, usual: Name): Period {
  const [from, to] = [search.get('from') ?? '', search.get('to') ?? ''];
  if (from !== '' || to !== '') return { name: 'custom', days: { from, to } };
  const name = NAMES.find((one) => one === search.get('days')) ?? usual;
  if (name === 'custom' || name === 'all') return { name, days: { from: '', to: '' } };
  return { name, days: lastDates(Number(name)) };
}

/** Chooses a period, which stays in the address. */
export function PeriodFields(props: { period: Period; without?: Name }) {
  const { name, days } = props.period;
  const [, setSearch] = useSearchParams();
  const put = (entries: Record<string, string>) =>
    setSearch(
      (search) => {
        for (const key of ['days', 'from', 'to']) search.delete(key);
        for (const [key, value] of Object.entries(entries))
          if (value !== '') search.set(key, value);
        return search;
      },
      { replace: true },
    );
  const options = NAMES.filter((one) => one !== props.without);
  return (
    <>
      <SelectField
        label={texts.label}
        value={name}
        options={options.map((value) => ({ value, text: texts.names[value] }))}
        onValue={(value) => put(value === 'custom' ? { ...lastDates(30) } : { days: value })}
      />
      {name === 'custom' && (
        <>
          <TextField
            label={texts.from}
            type="date"
            value={days.from}
            max={days.to}
            onText={(from) => put({ ...days, from, days: 'custom' })}
          />
          <TextField
            label={texts.to}
            type="date"
            value={days.to}
            min={days.from}
            onText={(to) => put({ ...days, to, days: 'custom' })}
          />
        </>
      )}
    </>
  );
}

/** By whose clocks the times of a page are. */
export function ClocksNote() {
  return <p className="hint">{texts.clocks(placeOf(shownZone()))}</p>;
}
