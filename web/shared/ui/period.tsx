import { periodTexts as texts } from '../../texts/en/period.ts';
import { lastDates, PERIODS, type Period, type PeriodName } from '../period.ts';
import type { Filters } from '../use-filters.ts';
import { placeOf, shownZone } from '../zone.ts';
import { SelectField, TextField } from './fields.tsx';

/** Chooses a period, which stays in the address. */
export function PeriodFields(props: {
  period: Period;
  without?: PeriodName;
  filters: Pick<Filters, 'put'>;
}) {
  const { name, days } = props.period;
  const put = (entries: Record<string, string>) =>
    props.filters.put({ days: '', from: '', to: '', ...entries });
  const options = PERIODS.filter((one) => one !== props.without);
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
