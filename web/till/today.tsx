import { useState } from 'react';
import { useClient } from '../shared/client.tsx';
import { money, timeOfDay } from '../shared/format.ts';
import { Button, Money } from '../shared/ui/basics.tsx';
import { FormDialog } from '../shared/ui/dialog.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { PagedItems } from '../shared/ui/lists.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { tillTexts } from '../texts/till.ts';
import { useShop } from './shop.tsx';
import { useUsedToday } from './used.ts';

const { today: texts, leave: leaveTexts } = tillTexts;

/** What was taken today at all tills of the shop, as it happens. */
export function TodayPage() {
  const used = useUsedToday();
  return (
    <>
      <PageTitle>{texts.title}</PageTitle>
      {used.items !== undefined && !used.hasMore && <Sums items={used.items} />}
      <PagedItems list={used} empty={texts.empty} label={texts.list}>
        {(item) => (
          <div className="used">
            <strong>
              <Money minorUnits={item.discountValueMinorUnits} currency={item.currency} />
            </strong>
            <time dateTime={item.usedAt}>{timeOfDay(item.usedAt)}</time>
            <span className="muted">{texts.by(item.usedBy.email ?? texts.somebody)}</span>
          </div>
        )}
      </PagedItems>
      <Leave />
    </>
  );
}

type Used = NonNullable<ReturnType<typeof useUsedToday>['items']>;

/** A sum for each currency: a shop that had none at first has two for a while. */
function Sums({ items }: { items: Used }) {
  const currencies = [...new Set(items.map(({ currency }) => currency))];
  return currencies.map((currency) => {
    const own = items.filter((item) => item.currency === currency);
    const sum = own.reduce((total, item) => total + item.discountValueMinorUnits, 0);
    return (
      <p key={currency ?? ''} className="sum">
        {texts.sum(money(sum, currency), texts.codes(own.length))}
      </p>
    );
  });
}

function Leave() {
  const client = useClient();
  const { id, name } = useShop();
  const [isOpen, setOpen] = useState(false);
  const leave = useSubmit({
    send: () => client.leaveShop({ tenantId: id }),
    changes: [['profile'], ['context']],
    onDone: () => setOpen(false),
  });
  return (
    <div>
      <Button size="small" onClick={() => setOpen(true)}>
        {leaveTexts.open}
      </Button>
      <FormDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={leaveTexts.title}
        submit={leaveTexts.submit}
        kind="danger"
        isRunning={leave.isRunning}
        error={leave.error}
        onSubmit={() => leave.submit(undefined)}
      >
        <p>{leaveTexts.what(name)}</p>
      </FormDialog>
    </div>
  );
}
