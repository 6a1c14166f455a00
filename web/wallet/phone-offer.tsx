import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { useClient } from '../shared/client.tsx';
import { canNotify } from '../shared/phone-notices.tsx';
import { Button } from '../shared/ui/basics.tsx';
import { noticeTexts } from '../texts/en/notices.ts';

const { phone: texts } = noticeTexts;

// Of the device, not of a person: who wants no messages here is not asked after the next sign-in.
const DISMISSED = 'loyalty.phone.dismissed';

/**
 * A line that leads to where messages are switched on, for who was never asked on this phone; until
 * it is closed. The browser asks nothing before the switch is pressed.
 */
export default function PhoneOffer() {
  const client = useClient();
  const [isGone, setGone] = useState(() => localStorage.getItem(DISMISSED) !== null);
  const isOpen = !isGone && canNotify() && Notification.permission === 'default';
  // Whether the service can send any changes so seldom that one answer will do.
  const { data } = useQuery({
    queryKey: ['notices'],
    queryFn: () => client.showNotices(),
    enabled: isOpen,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!isOpen || data === undefined || data.pushKey === null) return null;
  const dismiss = () => {
    localStorage.setItem(DISMISSED, '1');
    setGone(true);
  };
  return (
    <p className="phone-offer">
      <Link href="/notices">{texts.offer}</Link>
      <Button kind="quiet" size="small" onClick={dismiss}>
        {texts.notNow}
      </Button>
    </p>
  );
}
