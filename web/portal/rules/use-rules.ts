import { useClient } from '../../shared/client.tsx';
import { usePages } from '../../shared/use-pages.ts';
import { useShop } from '../shop.tsx';

/** The shop's rules, the last published first. */
export function useRules() {
  const client = useClient();
  const { tenantId } = useShop();
  return usePages(['rules', tenantId], () => client.all.listRewardRules({ tenantId }));
}
