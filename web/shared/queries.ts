import { onlineManager, QueryClient } from '@tanstack/react-query';
import { isLoyaltyError } from '../../sdk/index.ts';

/** The cache of an app. Nothing is repeated here: the SDK repeats what failed on its way. */
export function createQueries(): QueryClient {
  // Until it hears otherwise, it takes the browser for connected.
  onlineManager.setOnline(navigator.onLine);
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: 30_000,
        // Kept for as long as a wallet without a connection shows it.
        gcTime: 24 * 3_600_000,
        // An error of ours is a bug of the app, which its boundary shows.
        throwOnError: (error, { state }) => !isLoyaltyError(error) && state.data === undefined,
      },
      // Refused at once without a connection: held back, it would be done when nobody expects it.
      mutations: { networkMode: 'always' },
    },
  });
}
