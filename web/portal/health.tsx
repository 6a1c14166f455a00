import { Link } from 'wouter';
import { type Schema, useServiceClock } from '../shared/client.tsx';
import { ago, number } from '../shared/format.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { HealthBadge, healthOf, nameOf, useConnections } from './connections.tsx';

const { health: texts } = portalTexts;

/** So few are no pace that a day could fall behind. */
const LEAST_USUAL = 8;

/** Whether the points of sale work: how each is, and whether as much is sold today as usual. */
export function Health({ today }: { today: Schema['SalesToday'] | undefined }) {
  const connections = useConnections();
  const clock = useServiceClock();
  const shown = (connections.data ?? []).filter(({ status }) => status === 'active');
  const usual = today?.usualCount ?? 0;
  const isQuiet = today !== undefined && usual >= LEAST_USUAL && today.sales.count * 4 < usual;
  return (
    <section className="home-health" aria-label={texts.title}>
      <ul className="items">
        {shown.map((connection) => (
          <li key={connection.id} className="health-row">
            <span>
              <strong>{nameOf(connection)}</strong>
              <span className="muted">
                {connection.lastSaleAt === null
                  ? texts.noSale
                  : texts.lastSale(ago(connection.lastSaleAt, clock.now()))}
              </span>
            </span>
            <HealthBadge health={healthOf(connection)} />
          </li>
        ))}
        {connections.data !== undefined && shown.length === 0 && (
          <li className="health-row">
            <span>{texts.nothing}</span>
            <Link href="/providers">{texts.connect}</Link>
          </li>
        )}
        {today !== undefined && (
          <li className={isQuiet ? 'health-row health-quiet' : 'health-row'}>
            <span>
              <strong>{texts.today(today.sales.count, number(today.sales.count))}</strong>
              {today.usualCount !== null && (
                <span className="muted">{texts.usual(number(today.usualCount))}</span>
              )}
            </span>
            {isQuiet && <Link href="/providers">{texts.check}</Link>}
          </li>
        )}
      </ul>
    </section>
  );
}
