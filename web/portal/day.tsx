import { useClient } from '../shared/client.tsx';
import { DaySheet } from '../shared/ui/day-sheet.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { daySheetTexts } from '../texts/en/day-sheet.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { useShop } from './shop.tsx';

const BACK = { href: '/codes', text: portalTexts.pages.codes };

/** The end of a day at the tills of the shop, as the tills have it. */
export default function DayPage() {
  const client = useClient();
  const { tenantId, tenant } = useShop();
  return (
    <>
      <PageTitle back={BACK}>{daySheetTexts.title}</PageTitle>
      <DaySheet
        shop={tenant.name}
        queryKey={['day', tenantId]}
        read={(times) => client.showShopDay({ tenantId, ...times })}
      />
    </>
  );
}
