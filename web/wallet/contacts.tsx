import { useState } from 'react';
import { type Schema, useSession } from '../shared/client.tsx';
import { SignInButton } from '../shared/gate.tsx';
import { Button } from '../shared/ui/basics.tsx';
import { Icon } from '../shared/ui/icons.tsx';
import { walletTexts } from '../texts/en/wallet.ts';
import { useMatchingProfile } from './queries.ts';

const { contacts: texts } = walletTexts;

type Profile = Schema['UserProfile'];

/** What keeps purchases from earning, as cards; and that earlier ones are being looked for. */
export function Contacts() {
  const profile = useMatchingProfile();
  if (profile.data === undefined) return null;
  const { email, emailVerified, phone, phoneVerified, isMatching } = profile.data;
  return (
    <>
      {isMatching && (
        <p className="card looking" role="status">
          <span className="spinner" aria-hidden="true" />
          <span>{texts.looking}</span>
        </p>
      )}
      {email !== '' && !emailVerified && (
        <Unverified title={texts.emailTitle} text={texts.email(email)} />
      )}
      {phone !== null && !phoneVerified && (
        <Unverified title={texts.phoneTitle} text={texts.phone(phone)} />
      )}
      {emailVerified && phone === null && <NoPhone />}
    </>
  );
}

function Unverified({ title, text }: { title: string; text: string }) {
  return (
    <section className="card contact-card">
      <Icon name="alert" />
      <h2>{title}</h2>
      <p>{text}</p>
      <SignInButton>{texts.done}</SignInButton>
    </section>
  );
}

/** A hint, until somebody has no use for it: that is remembered until they sign out. */
function NoPhone() {
  const { now } = useSession();
  const key = now.status === 'signed-out' ? '' : `loyalty.wallet.no-phone.${now.sub}`;
  const [isGone, setGone] = useState(() => localStorage.getItem(key) !== null);
  if (isGone || key === '') return null;
  const dismiss = () => {
    localStorage.setItem(key, '1');
    setGone(true);
  };
  return (
    <section className="card contact-card">
      <Icon name="phone" />
      <h2>{texts.noPhoneTitle}</h2>
      <p>{texts.noPhone}</p>
      <Button kind="quiet" size="small" onClick={dismiss}>
        {texts.notNow}
      </Button>
    </section>
  );
}

/** How purchases of this person are found, in words: their verified contacts. */
export function recognisedBy({ email, emailVerified, phone, phoneVerified }: Profile): string[] {
  return [
    ...(email !== '' && emailVerified ? [email] : []),
    ...(phone !== null && phoneVerified ? [phone] : []),
  ];
}
