import { useClient } from '../shared/client.tsx';
import { DaySheet } from '../shared/ui/day-sheet.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { daySheetTexts } from '../texts/en/day-sheet.ts';
import { tillTexts } from '../texts/en/till.ts';
import { useShop } from './shop.tsx';

const BACK = { href: '/today', text: tillTexts.today.title };

/** The end of the day at the tills of the shop: who took what. */
export default function DayPage() {
  const client = useClient();
  const { id, name } = useShop();
  return (
    <>
      <PageTitle back={BACK}>{daySheetTexts.title}</PageTitle>
      <DaySheet
        shop={name}
        // Below what is read again when a code is taken.
        queryKey={['used', id, 'day']}
        read={(times) => client.showTillDay(times, { shop: id })}
      />
    </>
  );
}
