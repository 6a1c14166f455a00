import { lazy, Suspense } from 'react';
import { Route, Router, Switch } from 'wouter';
import { Gate } from '../shared/gate.tsx';
import { startApp } from '../shared/start.tsx';
import { NoticesLink } from '../shared/ui/account-menu.tsx';
import { Skeleton } from '../shared/ui/basics.tsx';
import { Frame, type NavEntry } from '../shared/ui/frame.tsx';
import { SearchLink } from '../shared/ui/search-link.tsx';
import { commonTexts } from '../texts/en/common.ts';
import { officeTexts } from '../texts/en/office.ts';
import { ApprovalsPage } from './approvals.tsx';
import './office.css';

const Notices = lazy(() => import('../shared/notices.tsx'));
const People = lazy(() => import('./people.tsx'));
const Person = lazy(() => import('./person.tsx'));
const Wallet = lazy(() => import('./wallet.tsx'));
const Shops = lazy(() => import('./shops.tsx'));
const Shop = lazy(() => import('./shop.tsx'));
const Goodwill = lazy(() => import('./goodwill.tsx'));
const Imports = lazy(() => import('./imports.tsx'));
const Health = lazy(() => import('./health.tsx'));
const Audit = lazy(() => import('./audit.tsx'));

const { pages } = officeTexts;
const PAGES: readonly NavEntry[] = [
  { href: '/', text: pages.approvals, icon: 'check' },
  { href: '/people', text: pages.people, icon: 'search', also: ['/wallets'] },
  { href: '/shops', text: pages.shops, icon: 'shop' },
  { href: '/goodwill', text: pages.goodwill, icon: 'gift' },
  { href: '/imports', text: pages.imports, icon: 'customers' },
  { href: '/health', text: pages.health, icon: 'info' },
  { href: '/audit', text: pages.audit, icon: 'history' },
];

function Office({ hasProgrammes }: { hasProgrammes: boolean }) {
  const shown = hasProgrammes ? PAGES : PAGES.filter(({ href }) => href !== '/imports');
  return (
    <Router base="/office">
      <Frame
        title={officeTexts.title}
        pages={shown}
        aside={<SearchLink href="/people" />}
        account={<NoticesLink />}
      >
        <Suspense fallback={<Skeleton shape="rows" />}>
          <Switch>
            <Route path="/" component={ApprovalsPage} />
            <Route path="/people" component={People} />
            <Route path="/people/:userId" component={Person} />
            <Route path="/wallets/:walletId" component={Wallet} />
            <Route path="/shops" component={Shops} />
            <Route path="/shops/:tenantId" component={Shop} />
            <Route path="/goodwill" component={Goodwill} />
            <Route path="/imports" component={Imports} />
            <Route path="/health" component={Health} />
            <Route path="/audit" component={Audit} />
            <Route path="/notices" component={Notices} />
            <Route>{commonTexts.notFound}</Route>
          </Switch>
        </Suspense>
      </Frame>
    </Router>
  );
}

await startApp({
  app: 'office',
  children: (
    <Gate
      title={officeTexts.title}
      lead={officeTexts.lead}
      admits={({ role, status }) => role === 'admin' && status === 'active'}
    >
      {({ hasProgrammes }) => <Office hasProgrammes={hasProgrammes} />}
    </Gate>
  ),
});
