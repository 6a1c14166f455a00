import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../shared/client.tsx';
import { inZone, lastDates } from '../../shared/period.ts';
import { totalOf } from '../figures.tsx';
import { useShop } from '../shop.tsx';
import type { KnownSales } from './cost.ts';

const DAYS = 30;

/** The sales of the last 30 days in which the customer was known; undefined until it is told. */
export function useKnownSales(): KnownSales | undefined {
  const client = useClient();
  const { tenantId } = useShop();
  const statistics = useQuery({
    queryKey: ['statistics', tenantId, 'known'],
    queryFn: () =>
      client.showStatistics({ tenantId, ...inZone(lastDates(DAYS)), interval: 'month' }),
  });
  return statistics.data && totalOf(statistics.data).matched;
}
