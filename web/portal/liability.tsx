import { useQuery } from '@tanstack/react-query';
import { isLoyaltyError } from '../../sdk/index.ts';
import { type Schema, useClient } from '../shared/client.tsx';
import { moment, money, monthOf, number } from '../shared/format.ts';
import { EmptyState, ErrorNotice, Section, Skeleton } from '../shared/ui/basics.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { type Column, Table } from '../shared/ui/lists.tsx';
import { liabilityTexts as texts } from '../texts/en/liability.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { Figure } from './figures.tsx';
import { useShop } from './shop.tsx';

type Liability = Schema['Liability'];

const NOT_FOUND = 404;
const POINTS = 100;

/** What the shop owed its customers in points after the newest month that was counted. */
export default function LiabilityPage() {
  const client = useClient();
  const { tenantId } = useShop();
  const shown = useQuery({
    queryKey: ['liability', tenantId],
    queryFn: () => client.showLiability({ tenantId }),
    retry: false,
  });
  const isNone = isLoyaltyError(shown.error) && shown.error.status === NOT_FOUND;
  return (
    <>
      <PageTitle>{portalTexts.pages.liability}</PageTitle>
      <p className="muted">{texts.lead}</p>
      {isNone ? (
        <EmptyState title={texts.none} text={texts.noneWhat} />
      ) : (
        <ErrorNotice error={shown.error} retry={shown.refetch} />
      )}
      {shown.isPending && <Skeleton />}
      {shown.data !== undefined && <Owed liability={shown.data} />}
    </>
  );
}

const COLUMNS: readonly Column<Schema['EarningMonth']>[] = [
  { title: texts.month, cell: ({ month }) => nameOf(month) },
  { title: texts.earned, cell: ({ earned }) => number(earned), isNumber: true },
  { title: texts.reversed, cell: ({ reversed }) => number(reversed), isNumber: true },
  { title: texts.used, cell: ({ used }) => number(used), isNumber: true },
  { title: texts.expired, cell: ({ expired }) => number(expired), isNumber: true },
  { title: texts.left, cell: ({ left }) => number(left), isNumber: true },
];

function Owed({ liability }: { liability: Liability }) {
  const { currency, rewardFactor, months } = liability;
  return (
    <>
      <dl className="figures">
        <Figure
          name={texts.after(nameOf(liability.month))}
          value={money(liability.minorUnits, currency)}
        >
          <span>{texts.outstanding(number(liability.pointsOutstanding))}</span>
          {liability.openCodes > 0 && <span>{texts.openCodes(number(liability.openCodes))}</span>}
          <span>{texts.asOf(moment(liability.asOf))}</span>
        </Figure>
        {rewardFactor !== null && (
          <Figure
            name={texts.inRewards}
            value={texts.factor(money(Math.round(rewardFactor * POINTS), currency))}
          >
            {texts.inRewardsWhat}
          </Figure>
        )}
      </dl>
      <Section title={texts.months}>
        {months.length === 0 && <p className="muted">{texts.nothing}</p>}
        {months.length > 0 && (
          <Table
            label={texts.months}
            rows={months.toReversed()}
            keyOf={({ month }) => month}
            columns={COLUMNS}
          />
        )}
      </Section>
    </>
  );
}

/** A month as text, whatever clocks are shown. */
function nameOf(month: string): string {
  return monthOf(`${month}-15T12:00:00.000Z`);
}
