import { Route, Router, Switch, useLocation } from 'wouter';
import type { Schema } from '../shared/client.tsx';
import { Gate } from '../shared/gate.tsx';
import { startApp } from '../shared/start.tsx';
import { Notice } from '../shared/ui/basics.tsx';
import { Frame, type NavEntry, PageTitle } from '../shared/ui/frame.tsx';
import { commonTexts } from '../texts/common.ts';
import { tillTexts } from '../texts/till.ts';
import { InvitePage, Invites } from './invite.tsx';
import { AtShop, ShopName } from './shop.tsx';
import { TakePage } from './take.tsx';
import { TodayPage } from './today.tsx';
import { useShopEvents } from './used.ts';
import './till.css';

type Profile = Schema['UserProfile'];

const PAGES: readonly NavEntry[] = [
  { href: '/', text: tillTexts.pages.take, icon: 'qr' },
  { href: '/today', text: tillTexts.pages.today, icon: 'sales' },
];

function Till({ profile }: { profile: Profile }) {
  if (profile.role !== 'pos_operator' || profile.tenantIds.length === 0) {
    return <Visitor profile={profile} />;
  }
  return (
    <Router base="/till">
      <AtShop profile={profile}>
        <Pages />
      </AtShop>
    </Router>
  );
}

function Pages() {
  const isSuspended = useShopEvents();
  return (
    <Frame title={tillTexts.title} pages={PAGES} aside={<ShopName />}>
      {isSuspended && <Notice kind="bad">{tillTexts.suspended}</Notice>}
      <Switch>
        <Route path="/" component={TakePage} />
        <Route path="/today" component={TodayPage} />
        <Route>{commonTexts.notFound}</Route>
      </Switch>
    </Frame>
  );
}

/** Somebody who works at no till: perhaps somebody invites them. */
function Visitor({ profile }: { profile: Profile }) {
  return (
    <Frame title={tillTexts.title} pages={[]}>
      <PageTitle>{tillTexts.title}</PageTitle>
      <Notice kind="plain">{commonTexts.wrongRole(commonTexts.roles[profile.role])}</Notice>
      <Invites invites={profile.pendingInvites} />
    </Frame>
  );
}

function App({ profile }: { profile: Profile }) {
  const [path] = useLocation();
  if (!path.startsWith('/invites')) return <Till profile={profile} />;
  return (
    <Switch>
      <Route path="/invites/:inviteId?">
        <InvitePage profile={profile} />
      </Route>
    </Switch>
  );
}

await startApp({
  app: 'till',
  children: (
    <Gate
      title={tillTexts.title}
      lead={tillTexts.lead}
      admits={({ status }) => status === 'active'}
    >
      {(profile) => <App profile={profile} />}
    </Gate>
  ),
});
