import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import type { Language } from '../../languages.ts';
import { commonTexts } from '../../texts/en/common.ts';
import { useClient, useProfile, useSession } from '../client.tsx';
import { chooseLanguage, otherLanguages } from '../language.ts';
import { Icon } from './icons.tsx';

/** Who uses the app, and the way out: a button that opens a menu. */
export function AccountMenu({ children }: { children?: ReactNode }) {
  const { now } = useSession();
  return now.status === 'signed-in' && <Menu named={now.name}>{children}</Menu>;
}

function Menu({ named, children }: { named: string | undefined; children: ReactNode }) {
  const { signOut } = useSession();
  const client = useClient();
  const { data: profile } = useProfile();
  // Mails come in it as well; where that fails, the apps do not wait for it.
  const tellMails = (language: Language) =>
    client.updateProfile({ body: { language } }).catch(() => undefined);
  const id = useId();
  const email = profile?.email ?? '';
  const name = named ?? email;
  return (
    <>
      <button type="button" className="account-button" popoverTarget={id}>
        <span className="avatar" aria-hidden="true">
          {initialsOf(name) || <Icon name="account" />}
        </span>
        <span className="hidden">{commonTexts.account}</span>
        <span className="account-name">{name}</span>
      </button>
      <div id={id} popover="auto" className="popup account">
        <p className="account-who">
          <strong>{name}</strong>
          {email !== name && <span className="muted">{email}</span>}
        </p>
        {children}
        <LanguageChoice onChosen={tellMails} />
        <button type="button" className="menu-item" onClick={() => void signOut()}>
          <Icon name="signOut" />
          {commonTexts.signOut}
        </button>
      </div>
    </>
  );
}

/** Leads to where people choose what they are mailed about, in apps that have that page. */
export function NoticesLink() {
  return (
    <Link
      className="menu-item"
      href="/notices"
      onClick={(event) => event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()}
    >
      <Icon name="info" />
      {commonTexts.notices}
    </Link>
  );
}

/** Offers the other languages, each by its own name. The page is loaded once `onChosen` is done. */
export function LanguageChoice({ onChosen }: { onChosen?(language: Language): Promise<unknown> }) {
  const choose = async (language: Language) => {
    await onChosen?.(language);
    chooseLanguage(language);
  };
  return otherLanguages.map(({ language, name }) => (
    <button
      key={language}
      type="button"
      className="menu-item"
      lang={language}
      onClick={() => void choose(language)}
    >
      <Icon name="language" />
      {name}
    </button>
  ));
}

/** The first letters of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.split(/[\s@.]+/).filter((word) => word !== '');
  const [first = '', last = ''] = name.includes('@') ? words.slice(0, 1) : [words[0], words.at(-1)];
  const letters = words.length > 1 ? [first, last] : [first];
  return letters.map((word) => [...word][0]?.toUpperCase() ?? '').join('');
}
