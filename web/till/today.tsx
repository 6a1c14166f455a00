import { Link } from 'wouter';
import { colleagueName } from '../shared/colleague.ts';
import { money, timeOfDay } from '../shared/format.ts';
import { ButtonLink, EmptyState, ErrorNotice, Skeleton } from '../shared/ui/basics.tsx';
import { PagedItems } from '../shared/ui/lists.tsx';
import { worthOf } from '../shared/worth.ts';
import { tillTexts } from '../texts/en/till.ts';
import { useUsedToday } from './used.ts';

const { today: texts } = tillTexts;
const RECENT = 5;

type Used = NonNullable<ReturnType<typeof useUsedToday>['items']>[number];

/** The last codes that were taken at any till of the shop, as it happens. */
export function Recent({ more }: { more: string }) {
  const { items, error } = useUsedToday();
  return (
    <section className="section recent">
      <div className="section-head">
        <h2>{texts.recent}</h2>
        <Link href={more}>{texts.all}</Link>
      </div>
      <ErrorNotice error={error} />
      {items === undefined && error === null && <Skeleton shape="rows" />}
      {items?.length === 0 && <Empty />}
      {items !== undefined && items.length > 0 && (
        <ul className="items" aria-label={texts.recent}>
          {items.slice(0, RECENT).map((used) => (
            <li key={used.id}>
              <UsedCode used={used} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** What was taken today at all tills of the shop, as it happens. */
export function Today() {
  const used = useUsedToday();
  return (
    <section className="section" aria-label={texts.list}>
      <div className="button-row">
        <ButtonLink icon="sales" href="/day">
          {texts.day}
        </ButtonLink>
      </div>
      {used.items !== undefined && !used.hasMore && <Sums items={used.items} />}
      <PagedItems list={used} empty={<Empty />} label={texts.list}>
        {(item) => <UsedCode used={item} />}
      </PagedItems>
    </section>
  );
}

function Empty() {
  return <EmptyState picture="codes" title={texts.empty} />;
}

function UsedCode({ used }: { used: Used }) {
  return (
    <div className="used">
      <span className="initials" aria-hidden="true">
        {used.customer.initials}
      </span>
      <strong>{worthOf(used)}</strong>
      <time dateTime={used.usedAt}>{timeOfDay(used.usedAt)}</time>
      <span className="muted">
        {texts.of(used.customer.initials, colleagueName(used.usedBy, tillTexts.today.somebody))}
      </span>
    </div>
  );
}

/** A sum for each currency: a shop that had none at first has two for a while. */
function Sums({ items }: { items: readonly Used[] }) {
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
