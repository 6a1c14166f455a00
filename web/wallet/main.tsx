import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister';
import type { QueryClient } from '@tanstack/react-query';
import { PersistQueryClientProvider } from '@tanstack/react-query-persist-client';
import { lazy, type ReactNode, Suspense } from 'react';
import { Route, Router, Switch, useRoute } from 'wouter';
import { timeOfDay } from '../shared/format.ts';
import { Gate } from '../shared/gate.tsx';
import type { Session } from '../shared/session.ts';
import { startApp } from '../shared/start.tsx';
import { NoticesLink } from '../shared/ui/account-menu.tsx';
import { Notice, Skeleton } from '../shared/ui/basics.tsx';
import { Frame, type NavEntry } from '../shared/ui/frame.tsx';
import { useOnline } from '../shared/use-online.ts';
import { commonTexts } from '../texts/en/common.ts';
import { walletTexts } from '../texts/en/wallet.ts';
import { CodePage } from './code.tsx';
import { CodesPage } from './codes.tsx';
import { HomePage } from './home.tsx';
import { JoinPage } from './join.tsx';
import { REMEMBERED, useLive, useWallets } from './queries.ts';
import { WalletPage } from './wallet.tsx';
import './wallet.css';
import './code.css';

const Notices = lazy(() => import('../shared/notices.tsx'));
const CardPage = lazy(() => import('./card.tsx'));
const ErasePage = lazy(() => import('./erase.tsx'));
const MONTH_MS = 30 * 24 * 3_600_000;
const PAGES: readonly NavEntry[] = [
  { href: '/', text: walletTexts.pages.wallets, icon: 'points', also: ['/wallets'] },
  { href: '/codes', text: walletTexts.pages.codes, icon: 'ticket' },
];

function Wallets() {
  const isLive = useLive();
  return (
    <Router base="/wallet">
      <Frame
        title={walletTexts.title}
        pages={PAGES}
        aside={<Live isLive={isLive} />}
        account={<NoticesLink />}
      >
        <AsOf />
        <Suspense fallback={<Skeleton />}>
          <Switch>
            <Route path="/" component={HomePage} />
            <Route path="/wallets/:walletId" component={WalletPage} />
            <Route path="/card" component={CardPage} />
            <Route path="/erase" component={ErasePage} />
            <Route path="/codes" component={CodesPage} />
            <Route path="/codes/:redemptionId" component={CodePage} />
            <Route path="/notices" component={Notices} />
            <Route>{commonTexts.notFound}</Route>
          </Switch>
        </Suspense>
      </Frame>
    </Router>
  );
}

/** The wallets, or a shop that somebody may join, to whom its poster has shown the way. */
function App() {
  const [, joined] = useRoute('/join/:tenantId');
  if (joined === null) return <Wallets />;
  return (
    <Frame title={walletTexts.title} pages={[]}>
      <JoinPage tenantId={joined.tenantId} />
    </Frame>
  );
}

function Live({ isLive }: { isLive: boolean }) {
  // A stream that has broken is noticed later than a connection.
  const isOnline = useOnline();
  if (!isLive || !isOnline) return null;
  return (
    <span className="live" title={commonTexts.live}>
      {walletTexts.live}
    </span>
  );
}

/** Says of when the page is, if there is no connection. */
function AsOf() {
  const isOnline = useOnline();
  const { dataUpdatedAt } = useWallets();
  if (isOnline || dataUpdatedAt === 0) return null;
  return (
    <Notice kind="plain">
      {walletTexts.asOf(timeOfDay(new Date(dataUpdatedAt).toISOString()))}
    </Notice>
  );
}

/** Keeps the last wallets beyond the page, for the person to whom they belong. */
function withMemory(app: ReactNode, session: Session, queries: QueryClient): ReactNode {
  const isNobody = () => session.state().status === 'signed-out';
  const state = session.state();
  const sub = state.status === 'signed-out' ? '' : state.sub;
  const persister = createSyncStoragePersister({
    storage: {
      getItem: (key) => localStorage.getItem(key),
      removeItem: (key) => localStorage.removeItem(key),
      // What is still to be written when the session ends is not.
      setItem: (key, value) => (isNobody() ? undefined : localStorage.setItem(key, value)),
    },
    key: `loyalty.wallet.state.${sub}`,
  });
  return (
    <PersistQueryClientProvider
      client={queries}
      persistOptions={{
        persister,
        maxAge: MONTH_MS,
        buster: '1',
        dehydrateOptions: {
          shouldDehydrateQuery: ({ queryKey: [name], state: { status } }) =>
            status === 'success' && name === REMEMBERED,
        },
      }}
    >
      {app}
    </PersistQueryClientProvider>
  );
}

if ('serviceWorker' in navigator && import.meta.env.PROD) {
  // Without it the app works as well, but for its start without a connection.
  navigator.serviceWorker.register('/wallet/worker.js', { scope: '/wallet/' }).catch(() => {});
}

/** What stands above the sign-in: whoever comes by a poster is told what for. */
const { gate: title, gateLead: lead } = location.pathname.startsWith('/join')
  ? walletTexts.join
  : { gate: walletTexts.title, gateLead: walletTexts.lead };

await startApp({
  app: 'wallet',
  around: withMemory,
  children: (
    <Gate
      title={title}
      lead={lead}
      admits={({ status, role }) => status === 'active' && role !== 'admin' && role !== 'client'}
      offline={<Wallets />}
    >
      {() => <App />}
    </Gate>
  ),
});
