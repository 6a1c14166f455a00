import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, type ReactNode, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { createClient } from '../../sdk/index.ts';
import { commonTexts } from '../texts/en/common.ts';
import { AppProvider } from './client.tsx';
import { loadConfig, NoConnection } from './config.ts';
import { createQueries } from './queries.ts';
import { createServiceClock } from './service-clock.ts';
import { openSession, type Session } from './session.ts';
import { Button, Notice } from './ui/basics.tsx';
import { Boundary } from './ui/frame.tsx';
import { ToastProvider } from './ui/toast.tsx';
import './styles/base.css';

const StopPage = lazy(() => import('./stop.tsx'));

/** Whether the page is what a link in a mail leads to, for anybody who has the mail. */
const isStopPage = () => /^\/\w+\/stop$/.test(location.pathname);

function Stopping() {
  return (
    <Suspense>
      <StopPage />
    </Suspense>
  );
}

/**
 * Starts an app in its page: reads where everything is, finds out who uses it, and shows it.
 * `around` can wrap it into more, such as a cache that outlives the page.
 */
export async function startApp(options: {
  app: string;
  children: ReactNode;
  around?(app: ReactNode, session: Session, queries: QueryClient): ReactNode;
}): Promise<void> {
  const place = document.getElementById('app');
  if (place === null) throw new Error('The page has no element with the id app.');
  const root = createRoot(place);
  try {
    const config = await loadConfig();
    const session = await openSession(config, options.app);
    const clock = createServiceClock();
    const client = createClient({ baseUrl: config.api, token: session.token, fetch: clock.fetch });
    const queries = createQueries();
    session.subscribe(() => {
      if (session.state().status === 'signed-out') queries.clear();
    });
    const { around = withQueries } = options;
    const { support, testSales } = config;
    const app = (
      <AppProvider value={{ client, session, clock, support, testSales }}>
        <ToastProvider>{isStopPage() ? <Stopping /> : options.children}</ToastProvider>
      </AppProvider>
    );
    root.render(
      <StrictMode>
        <Boundary>{around(app, session, queries)}</Boundary>
      </StrictMode>,
    );
  } catch (error) {
    if (error instanceof NoConnection) {
      addEventListener('online', () => location.reload());
      root.render(<Unconnected />);
      return;
    }
    const reason = error instanceof Error ? error.message : String(error);
    root.render(<main className="start">{commonTexts.badConfig(reason)}</main>);
    throw error;
  }
}

function Unconnected() {
  return (
    <main className="start">
      <Notice kind="plain">{commonTexts.noConnection}</Notice>
      <Button kind="primary" icon="refresh" onClick={() => location.reload()}>
        {commonTexts.retry}
      </Button>
    </main>
  );
}

function withQueries(app: ReactNode, _session: Session, queries: QueryClient): ReactNode {
  return <QueryClientProvider client={queries}>{app}</QueryClientProvider>;
}
