import { useEffect, useState } from 'react';
import { LoyaltyError } from '../../sdk/index.ts';
import { noticeTexts } from '../texts/en/notices.ts';
import { useClient, useSession } from './client.tsx';
import { phoneKey } from './pushes.ts';
import { CommandNotice, Notice, Section } from './ui/basics.tsx';
import { CheckField } from './ui/fields.tsx';
import { useSubmit } from './use-submit.ts';

const { phone: texts } = noticeTexts;
const APP = '/wallet/';

/** Whether this browser is told of points, where people switch it on and off. */
export function PhoneNotices({ pushKey }: { pushKey: string }) {
  const { now } = useSession();
  if (now.status !== 'signed-in') return null;
  return (
    <Section title={texts.title}>
      <p className="muted">{texts.what}</p>
      {canNotify() ? (
        <Switch pushKey={pushKey} keptAs={phoneKey('wallet', now.sub)} />
      ) : (
        <Notice kind="plain">{isUninstalledAtApple() ? texts.atApple : texts.impossible}</Notice>
      )}
    </Section>
  );
}

/** Nothing is asked of the browser, nor of the person, before it is pressed. */
function Switch({ pushKey, keptAs }: { pushKey: string; keptAs: string }) {
  const client = useClient();
  const [isOn, setOn] = useState(false);
  const [isBlocked, setBlocked] = useState(Notification.permission === 'denied');
  useEffect(() => {
    const look = async () => {
      const its = await (await registration())?.pushManager.getSubscription();
      setOn(isOf(its, pushKey) && localStorage.getItem(keptAs) !== null);
    };
    look().catch(() => undefined);
  }, [pushKey, keptAs]);

  const switchOn = async () => {
    if ((await Notification.requestPermission()) !== 'granted') {
      setBlocked(Notification.permission === 'denied');
      return false;
    }
    const { endpoint, keys } = await subscribe(pushKey);
    const { id } = await client.addPushSubscription({ body: { endpoint, keys } });
    localStorage.setItem(keptAs, id);
    return true;
  };
  const switchOff = async () => {
    const pushSubscriptionId = localStorage.getItem(keptAs) ?? '';
    await client.removePushSubscription({ pushSubscriptionId }).catch((error: unknown) => {
      if (!(error instanceof LoyaltyError && error.code === 'NOT_FOUND')) throw error;
    });
    localStorage.removeItem(keptAs);
    await (await (await registration())?.pushManager.getSubscription())?.unsubscribe();
    return false;
  };
  const change = useSubmit({
    send: (wanted: boolean) => (wanted ? switchOn() : switchOff()),
    changes: [],
    onDone: setOn,
  });

  return (
    <>
      {isBlocked ? (
        <Notice kind="plain">{texts.blocked}</Notice>
      ) : (
        <CheckField label={texts.on} checked={isOn} onCheck={change.submit} />
      )}
      <CommandNotice command={change} />
    </>
  );
}

/** Whether this browser can show messages of an app that is closed. */
export function canNotify(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

/** Only browsers of Apple's phones and tablets say whether the page is an app. */
function isUninstalledAtApple(): boolean {
  return Reflect.get(navigator, 'standalone') === false;
}

function registration(): Promise<ServiceWorkerRegistration | undefined> {
  return navigator.serviceWorker.getRegistration(APP);
}

/** Whether a subscription is of the key with which the service signs now. */
function isOf(subscription: PushSubscription | null | undefined, pushKey: string): boolean {
  const key = subscription?.options.applicationServerKey;
  if (key === undefined || key === null) return false;
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === pushKey;
}

/** Subscribes at the browser's push service; one of another key lapses. */
async function subscribe(applicationServerKey: string) {
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  if (before !== null && !isOf(before, applicationServerKey)) await before.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = made.toJSON();
  return { endpoint, keys: { p256dh, auth } };
}
