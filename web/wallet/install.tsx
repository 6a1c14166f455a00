import { useState, useSyncExternalStore } from 'react';
import { Button } from '../shared/ui/basics.tsx';
import { Icon } from '../shared/ui/icons.tsx';
import { walletTexts } from '../texts/en/wallet.ts';

const { install: texts } = walletTexts;

/** What a browser offers that can install the app; it is good for one question. */
type Offer = Event & { prompt(): Promise<unknown> };

declare global {
  interface WindowEventMap {
    beforeinstallprompt: Offer;
  }
}

// Of the device, not of a person: who wants no app here is not asked after the next sign-in.
const DISMISSED = 'loyalty.install.dismissed';

let offer: Offer | undefined;
let told = () => {};
const keep = (next: Offer | undefined) => {
  offer = next;
  told();
};
// As soon as the app is loaded: it comes once, and before anything is shown.
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  keep(event);
});
addEventListener('appinstalled', () => keep(undefined));

const subscribe = (listener: () => void) => {
  told = listener;
  return () => {
    told = () => {};
  };
};

/** Only browsers of Apple's phones and tablets say whether the page is an app; they offer none. */
const isUninstalledAtApple = () => Reflect.get(navigator, 'standalone') === false;

/** Offers to put the app onto the phone where that is possible, until somebody wants it not. */
export function InstallOffer() {
  const offered = useSyncExternalStore(subscribe, () => offer);
  const [isGone, setGone] = useState(() => localStorage.getItem(DISMISSED) !== null);
  if (isGone || (offered === undefined && !isUninstalledAtApple())) return null;
  const dismiss = () => {
    localStorage.setItem(DISMISSED, '1');
    setGone(true);
  };
  const install = () => {
    void offered?.prompt();
    keep(undefined);
  };
  return (
    <section className="card contact-card">
      <Icon name="phone" />
      <h2>{texts.title}</h2>
      <p>{offered === undefined ? texts.steps : texts.what}</p>
      <div className="button-row">
        {offered !== undefined && <Button onClick={install}>{texts.submit}</Button>}
        <Button kind="quiet" size="small" onClick={dismiss}>
          {texts.no}
        </Button>
      </div>
    </section>
  );
}
