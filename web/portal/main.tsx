import { lazy, Suspense } from 'react';
import { Route, Router, Switch, useLocation } from 'wouter';
import { Gate } from '../shared/gate.tsx';
import { startApp } from '../shared/start.tsx';
import { NoticesLink } from '../shared/ui/account-menu.tsx';
import { Skeleton } from '../shared/ui/basics.tsx';
import { Frame, type NavEntry } from '../shared/ui/frame.tsx';
import { SearchLink } from '../shared/ui/search-link.tsx';
import { commonTexts } from '../texts/en/common.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { Trouble } from './connections.tsx';
import { OverviewPage } from './overview.tsx';
import { usePanelLink } from './panel-address.ts';
import { PanelHost } from './panel-host.tsx';
import { InShop, ShopName } from './shop.tsx';
import './home.css';
import './portal.css';

const Application = lazy(() => import('./application.tsx'));
const Providers = lazy(() => import('./providers.tsx'));
const Notices = lazy(() => import('../shared/notices.tsx'));
const Transactions = lazy(() => import('./transactions.tsx'));
const Consumers = lazy(() => import('./consumers.tsx'));
const Consumer = lazy(() => import('./consumer.tsx'));
const Poster = lazy(() => import('./poster.tsx'));
const Codes = lazy(() => import('./codes.tsx'));
const Day = lazy(() => import('./day.tsx'));
const Rules = lazy(() => import('./rules/page.tsx'));
const RuleForm = lazy(() => import('./rules/form.tsx'));
const Campaigns = lazy(() => import('./campaigns/page.tsx'));
const CampaignForm = lazy(() => import('./campaigns/form.tsx'));
const Rewards = lazy(() => import('./rewards/page.tsx'));
const RewardForm = lazy(() => import('./rewards/form.tsx'));
const Programme = lazy(() => import('./programme/page.tsx'));
const Liability = lazy(() => import('./liability.tsx'));
const Imports = lazy(() => import('./imports.tsx'));
const People = lazy(() => import('./people.tsx'));
const Webhooks = lazy(() => import('./webhooks.tsx'));
const Endpoint = lazy(() => import('./endpoint.tsx'));
const History = lazy(() => import('./history.tsx'));
const Profile = lazy(() => import('./profile.tsx'));

const { groups } = portalTexts;
const names = portalTexts.pages;
const { sales, programme, team, settings } = groups;
const PROGRAMME: ReadonlySet<string> = new Set([
  '/campaigns',
  '/rewards',
  '/programme',
  '/liability',
  '/imports',
]);
const PAGES: readonly NavEntry[] = [
  { href: '/', text: names.overview, icon: 'home' },
  { href: '/consumers', text: names.consumers, icon: 'customers' },
  { href: '/transactions', text: names.transactions, icon: 'sales', group: sales },
  { href: '/codes', text: names.codes, icon: 'ticket', group: sales, also: ['/day'] },
  { href: '/rules', text: names.rules, icon: 'points', group: programme },
  { href: '/campaigns', text: names.campaigns, icon: 'gift', group: programme },
  { href: '/rewards', text: names.rewards, icon: 'ticket', group: programme },
  { href: '/programme', text: names.programme, icon: 'refresh', group: programme },
  { href: '/liability', text: names.liability, icon: 'sales', group: programme },
  { href: '/imports', text: names.imports, icon: 'customers', group: programme },
  { href: '/people', text: names.people, icon: 'team', group: team },
  { href: '/providers', text: names.providers, icon: 'connection', group: settings },
  { href: '/profile', text: names.profile, icon: 'shop', group: settings },
  { href: '/webhooks', text: names.webhooks, icon: 'webhook', group: settings },
  { href: '/history', text: names.history, icon: 'history', group: settings },
];

function Portal({ hasProgrammes }: { hasProgrammes: boolean }) {
  const [path] = useLocation();
  const pages = hasProgrammes ? PAGES : PAGES.filter(({ href }) => !PROGRAMME.has(href));
  // Where the service sends merchants who come back from a provider.
  if (/^\/pos\/?$/.test(path)) {
    history.replaceState(null, '', `/portal/providers${location.search}`);
  }
  return (
    <Router base="/portal">
      <Frame title={portalTexts.title} pages={pages} aside={<Aside />} account={<NoticesLink />}>
        <Trouble />
        <PanelHost />
        <Suspense fallback={<Skeleton shape="rows" />}>
          <Switch>
            <Route path="/" component={OverviewPage} />
            <Route path="/providers" component={Providers} />
            <Route path="/transactions" component={Transactions} />
            <Route path="/consumers" component={Consumers} />
            <Route path="/consumers/:userId" component={Consumer} />
            <Route path="/poster" component={Poster} />
            <Route path="/codes" component={Codes} />
            <Route path="/day" component={Day} />
            <Route path="/rules" component={Rules} />
            <Route path="/rules/new" component={RuleForm} />
            <Route path="/campaigns" component={Campaigns} />
            <Route path="/campaigns/new" component={CampaignForm} />
            <Route path="/rewards" component={Rewards} />
            <Route path="/rewards/new" component={RewardForm} />
            <Route path="/programme" component={Programme} />
            <Route path="/liability" component={Liability} />
            <Route path="/imports" component={Imports} />
            <Route path="/people" component={People} />
            <Route path="/webhooks" component={Webhooks} />
            <Route path="/webhooks/:endpointId" component={Endpoint} />
            <Route path="/history" component={History} />
            <Route path="/profile" component={Profile} />
            <Route path="/notices" component={Notices} />
            <Route>{commonTexts.notFound}</Route>
          </Switch>
        </Suspense>
      </Frame>
    </Router>
  );
}

function Aside() {
  return (
    <>
      <ShopName />
      <SearchLink {...usePanelLink('search')} />
    </>
  );
}

await startApp({
  app: 'portal',
  children: (
    <Gate
      title={portalTexts.title}
      lead={portalTexts.lead}
      admits={({ role, status }) => role === 'client' && status === 'active'}
      otherwise={(profile) =>
        profile.role === 'client' && profile.status === 'pending_approval' ? (
          <Suspense fallback={<Skeleton />}>
            <Application profile={profile} />
          </Suspense>
        ) : undefined
      }
    >
      {(profile) => (
        <InShop profile={profile}>
          <Portal hasProgrammes={profile.hasProgrammes} />
        </InShop>
      )}
    </Gate>
  ),
});
