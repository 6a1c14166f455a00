import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import { Button, Notice, Skeleton } from '../shared/ui/basics.tsx';
import { Dialog } from '../shared/ui/dialog.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { useOnline } from '../shared/use-online.ts';
import { tillTexts } from '../texts/en/till.ts';
import { Camera } from './camera.tsx';
import { CodeField } from './code-field.tsx';
import { useShop } from './shop.tsx';
import { CodePanel } from './stage.tsx';
import { Recent, Today } from './today.tsx';
import { useCheckout } from './use-checkout.tsx';

const MemberSale = lazy(() => import('./member.tsx'));
const TODAY = '/today';

/** The till: one screen that never leaves, with the list of the day a tap away. */
export function TakePage() {
  const { scan, enter } = useCheckout();
  const [path, go] = useLocation();
  const isOnline = useOnline();
  const { attaches } = useShop();
  /** The number of the card that was scanned; empty to type one. */
  const [member, setMember] = useState<string>();
  const isToday = path === TODAY;
  const take = (code: string) => {
    if (isToday) go('/');
    scan(code);
  };
  // What is not on the screen is not taken.
  const onEnter = () => (isToday ? go('/') : enter());
  return (
    <div className={isToday ? 'till till-today' : 'till'}>
      <div className="till-main">
        <PageTitle>{isToday ? tillTexts.today.title : tillTexts.pages.take}</PageTitle>
        {!isOnline && <Notice kind="bad">{tillTexts.offline}</Notice>}
        <CodeField onScan={take} onMember={setMember} onEnter={onEnter} />
        {!isToday && (
          <div className="stage">
            <Camera onScan={take} onMember={setMember} />
            <CodePanel />
          </div>
        )}
        {attaches && (
          <Button icon="points" onClick={() => setMember('')}>
            {tillTexts.member.open}
          </Button>
        )}
        <Dialog
          isOpen={member !== undefined}
          onClose={() => setMember(undefined)}
          title={tillTexts.member.title}
        >
          <Suspense fallback={<Skeleton />}>
            <MemberSale key={member} scanned={member} />
          </Suspense>
        </Dialog>
      </div>
      {isToday ? <Today /> : <Recent more={TODAY} />}
    </div>
  );
}
