import type { Provider } from '../../domain/payment.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { InvalidGrant, type OAuthByProvider, type ProviderOAuth } from './oauth.ts';

/** Returns the same OAuth, with its refreshes counted by their outcome. */
export function countRefreshes(
  oauth: OAuthByProvider,
  metrics: Pick<Metrics, 'tokenRefreshed'>,
): OAuthByProvider {
  const counting = (provider: Provider): ProviderOAuth => ({
    ...oauth[provider],
    async refresh(refreshToken) {
      try {
        const grant = await oauth[provider].refresh(refreshToken);
        metrics.tokenRefreshed(provider, 'refreshed');
        return grant;
      } catch (error) {
        metrics.tokenRefreshed(provider, error instanceof InvalidGrant ? 'refused' : 'failed');
        throw error;
      }
    },
  });
  return { alpha: counting('alpha'), beta: counting('beta') };
}
