import { type ReactNode, useState } from 'react';
import { commonTexts } from '../texts/en/common.ts';
import { type Schema, useProfile, useSession } from './client.tsx';
import { LanguageChoice } from './ui/account-menu.tsx';
import { Button, ErrorNotice, Notice, Skeleton } from './ui/basics.tsx';
import { Support } from './ui/support.tsx';

type Profile = Schema['UserProfile'];

/**
 * Lets those in for whom the app is, and tells the others what they can do. Without a connection it
 * lets in who was here before: what they see is what they last saw.
 */
export function Gate(props: {
  title: string;
  lead: string;
  /** Whether the app is for this person. */
  admits(profile: Profile): boolean;
  /** What somebody can do about it for whom it is not; undefined where that is nothing. */
  otherwise?(profile: Profile): ReactNode;
  /** What an app shows without a connection that remembers something. */
  offline?: ReactNode;
  children(profile: Profile): ReactNode;
}) {
  const { now } = useSession();
  if (now.status === 'signed-out') return <Start {...props} why={now.why} />;
  if (now.status === 'offline' && props.offline !== undefined) return props.offline;
  if (now.status === 'offline' && navigator.onLine) return <Start {...props} why="away" />;
  return <Admitted {...props} />;
}

/** Leaves for the identity provider, and says so where it cannot be reached. */
export function SignInButton(props: {
  kind?: 'plain' | 'primary';
  size?: 'big';
  children: ReactNode;
}) {
  const { children, ...its } = props;
  const { start, isRunning, isAway } = useSignIn();
  return (
    <>
      {isAway && <Notice kind="bad">{commonTexts.signInAway}</Notice>}
      <Button {...its} isRunning={isRunning} onClick={start}>
        {children}
      </Button>
    </>
  );
}

function useSignIn() {
  const { signIn } = useSession();
  const [now, setNow] = useState<'here' | 'leaving' | 'away'>('here');
  const start = () => {
    setNow('leaving');
    // Here again by the browser's Back, the page is as it was.
    signIn().then(
      () => setNow('here'),
      () => setNow('away'),
    );
  };
  return { start, isRunning: now === 'leaving', isAway: now === 'away' };
}

/** Where nobody can say who is here, the page asks again once it is opened anew, or by itself. */
function Start(props: {
  title: string;
  lead: string;
  why: 'not-yet' | 'ended' | 'refused' | 'away';
}) {
  return (
    <main className="start">
      <img src="/icon.svg" alt="" width="80" height="80" />
      <h1>{props.title}</h1>
      <p>{props.lead}</p>
      {props.why === 'ended' && <Notice kind="plain">{commonTexts.signInEnded}</Notice>}
      {props.why === 'refused' && <Notice kind="bad">{commonTexts.signInRefused}</Notice>}
      {props.why === 'away' ? (
        <>
          <Notice kind="bad">{commonTexts.signInAway}</Notice>
          <Button onClick={() => location.reload()}>{commonTexts.retry}</Button>
        </>
      ) : (
        <SignInButton kind="primary" size="big">
          {commonTexts.signIn}
        </SignInButton>
      )}
      <LanguageChoice />
    </main>
  );
}

function Admitted(props: Parameters<typeof Gate>[0]) {
  const profile = useProfile();
  if (profile.data === undefined) {
    return (
      <main className="start">
        {profile.error === null ? (
          <Skeleton />
        ) : (
          <ErrorNotice error={profile.error} retry={profile.refetch} />
        )}
      </main>
    );
  }
  if (!props.admits(profile.data)) {
    return (
      <Stranger title={props.title} profile={profile.data}>
        {props.otherwise?.(profile.data)}
      </Stranger>
    );
  }
  return props.children(profile.data);
}

function Stranger(props: { title: string; profile: Profile; children: ReactNode }) {
  const { title, profile, children } = props;
  const { signOut } = useSession();
  return (
    <main className="start">
      <h1>{title}</h1>
      {children ?? <Notice kind="plain">{whyNot(profile)}</Notice>}
      <p className="muted">{profile.email}</p>
      <Support />
      <SignInButton kind={children ? 'plain' : 'primary'}>
        {commonTexts.signInAsSomebodyElse}
      </SignInButton>
      <Button onClick={() => void signOut()}>{commonTexts.signOut}</Button>
    </main>
  );
}

function whyNot({ status, code, role }: Profile): string {
  const { statuses, roles, wrongRole } = commonTexts;
  if (code === 'ADMIN_EMAIL_REQUIRED') return statuses.adminEmail;
  return status === 'active' ? wrongRole(roles[role]) : statuses[status];
}
