import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { components, LoyaltyClient } from '../../sdk/index.ts';
import type { ServiceClock } from './service-clock.ts';
import type { Session, SessionState } from './session.ts';

/** The shapes of the API, by the names that they have in its document. */
export type Schema = components['schemas'];

type App = {
  client: LoyaltyClient;
  session: Session;
  clock: ServiceClock;
  support?: string | undefined;
  testSales?: string | undefined;
};

const AppContext = createContext<App | undefined>(undefined);
/** Gives what is below it the client, the session, the service's clock, and where to get help. */
export const AppProvider = AppContext.Provider;

function useAppContext(): App {
  const app = useContext(AppContext);
  if (app === undefined) throw new Error('This component needs an AppProvider above it.');
  return app;
}

/** The client of the API, signed in as whoever uses the app. */
export function useClient(): LoyaltyClient {
  return useAppContext().client;
}

/** Where people can ask for help, if the installation says so. */
export function useSupport(): string | undefined {
  return useContext(AppContext)?.support;
}

/** Where shops ring test sales, if no point of sale is a real one. */
export function useTestSales(): string | undefined {
  return useAppContext().testSales;
}

/** The clock of the service. */
export function useServiceClock(): ServiceClock {
  return useAppContext().clock;
}

/** The session, and its state as it changes. */
export function useSession(): Session & { now: SessionState } {
  const { session } = useAppContext();
  const now = useSyncExternalStore(session.subscribe, session.state);
  return { ...session, now };
}

type AskedAgain = 'refetchInterval' | 'refetchOnWindowFocus';

/** Whoever uses the app, as the service knows them; `when` says when they are asked for again. */
export function useProfile(when: Pick<UseQueryOptions<Schema['UserProfile']>, AskedAgain> = {}) {
  const client = useClient();
  const query = { queryKey: ['profile'], queryFn: () => client.showProfile() };
  return useQuery({ ...query, ...when });
}
