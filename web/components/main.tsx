import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { createClient } from '../../sdk/index.ts';
import { AppProvider } from '../shared/client.tsx';
import { createQueries } from '../shared/queries.ts';
import { createServiceClock } from '../shared/service-clock.ts';
import type { Session, SessionState } from '../shared/session.ts';
import { Frame, type NavEntry, PageTitle } from '../shared/ui/frame.tsx';
import { ToastProvider } from '../shared/ui/toast.tsx';
import { Controls } from './controls.tsx';
import { Filled } from './filled.tsx';
import { Switches } from './switches.tsx';
import { Tokens } from './tokens.tsx';
import '../shared/styles/base.css';
import './components.css';

const PAGES: readonly NavEntry[] = [
  { href: '/', text: 'Home', icon: 'home' },
  { href: '/customers', text: 'Customers', icon: 'customers' },
  { href: '/sales', text: 'Sales', icon: 'sales', group: 'Sales' },
  { href: '/codes', text: 'Codes', icon: 'ticket', group: 'Sales' },
  { href: '/rules', text: 'Rules', icon: 'points', group: 'Programme' },
  { href: '/rewards', text: 'Rewards', icon: 'ticket', group: 'Programme' },
  { href: '/staff', text: 'Staff', icon: 'team', group: 'Team' },
  { href: '/profile', text: 'Profile', icon: 'shop', group: 'Settings' },
];

/** Somebody who is signed in nowhere: the page asks no service for anything. */
const state: SessionState = { status: 'signed-in', sub: 'somebody', name: 'Ada Byron' };
const session: Session = {
  state: () => state,
  subscribe: () => () => undefined,
  signIn: async () => undefined,
  signOut: async () => undefined,
  token: async () => undefined,
};
const client = createClient({ baseUrl: location.origin, token: session.token });
const queries = createQueries();
queries.setQueryData(['profile'], { email: 'ada@example.com' });
queries.setQueryDefaults(['profile'], { enabled: false });

const place = document.getElementById('app');
if (place === null) throw new Error('The page has no element with the id app.');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <AppProvider value={{ client, session, clock: createServiceClock() }}>
        <ToastProvider>
          <Router base="/components">
            <Frame title="Components" pages={PAGES} aside="Corner Café">
              <PageTitle>Components</PageTitle>
              <Switches />
              <Tokens />
              <Controls />
              <Filled />
            </Frame>
          </Router>
        </ToastProvider>
      </AppProvider>
    </QueryClientProvider>
  </StrictMode>,
);
