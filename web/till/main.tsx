import { lazy, Suspense, useState } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import type { Schema } from '../shared/client.tsx';
import { Gate } from '../shared/gate.tsx';
import { startApp } from '../shared/start.tsx';
import { Notice, Skeleton } from '../shared/ui/basics.tsx';
import { Frame, type NavEntry, PageTitle } from '../shared/ui/frame.tsx';
import { commonTexts } from '../texts/en/common.ts';
import { tillTexts } from '../texts/en/till.ts';
import { InvitePage, Invites, InvitesLink, isAtTill, WayOut } from './invite.tsx';
import { Lockable } from './lock.tsx';
import { AtShop, JoinedShop, ShopName } from './shop.tsx';
import { TakePage } from './take.tsx';
import { LockButton, SettingsDialog, SettingsEntry } from './tools.tsx';
import { CheckoutProvider } from './use-checkout.tsx';
import { useShopEvents } from './used.ts';
import './till.css';

const DayPage = lazy(() => import('./day.tsx'));

type Profile = Schema['UserProfile'];

const DAY = '/day';
const PAGES: readonly NavEntry[] = [
  { href: '/', text: tillTexts.pages.take, icon: 'qr' },
  { href: '/today', text: tillTexts.pages.today, icon: 'sales', also: [DAY] },
];

function Till({ profile }: { profile: Profile }) {
  if (!isAtTill(profile)) return <Visitor profile={profile} />;
  return (
    <Router base="/till">
      <AtShop profile={profile}>
        <CheckoutProvider>
          <Pages profile={profile} />
        </CheckoutProvider>
      </AtShop>
    </Router>
  );
}

function Pages({ profile }: { profile: Profile }) {
  const [path] = useLocation();
  const isSuspended = useShopEvents();
  const [isSetting, setSetting] = useState(false);
  const aside = (
    <>
      <InvitesLink invites={profile.pendingInvites} />
      <ShopName />
      <LockButton />
    </>
  );
  const account = <SettingsEntry onOpen={() => setSetting(true)} />;
  return (
    <Frame title={tillTexts.title} pages={PAGES} aside={aside} account={account}>
      {isSuspended && <Notice kind="bad">{tillTexts.suspended}</Notice>}
      <JoinedShop />
      <Page path={path} />
      <SettingsDialog isOpen={isSetting} onClose={() => setSetting(false)} />
    </Frame>
  );
}

function Page({ path }: { path: string }) {
  // The same till on both of its pages, so that a code stays on the screen.
  if (PAGES.some(({ href }) => href === path)) return <TakePage />;
  if (path !== DAY) return commonTexts.notFound;
  return (
    <Suspense fallback={<Skeleton shape="rows" />}>
      <DayPage />
    </Suspense>
  );
}

/** Somebody who works at no till: perhaps somebody invites them. */
function Visitor({ profile }: { profile: Profile }) {
  return (
    <Frame title={tillTexts.title} pages={[]}>
      <PageTitle>{tillTexts.title}</PageTitle>
      <Notice kind="plain">{commonTexts.wrongRole(commonTexts.roles[profile.role])}</Notice>
      <Invites invites={profile.pendingInvites} />
      <WayOut profile={profile} />
    </Frame>
  );
}

const isInvite = (path: string) => path.startsWith('/invites');

function App({ profile }: { profile: Profile }) {
  const [path] = useLocation();
  if (!isInvite(path)) return <Till profile={profile} />;
  return (
    <Switch>
      <Route path="/invites/:inviteId?">
        <InvitePage profile={profile} />
      </Route>
    </Switch>
  );
}

/** What stands above the sign-in: whoever comes by a mail is told what for. */
const { title, lead } = isInvite(location.pathname) ? tillTexts.invite : tillTexts;

await startApp({
  app: 'till',
  children: (
    <Gate title={title} lead={lead} admits={({ status }) => status === 'active'}>
      {(profile) => (
        <Lockable>
          <App profile={profile} />
        </Lockable>
      )}
    </Gate>
  ),
});
