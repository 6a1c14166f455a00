import type { Provider } from '../../../domain/payment.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { InvalidGrant, type ProviderOAuth } from './oauth.ts';

/** Returns the same OAuth of a provider, with its refreshes counted by their outcome. */
export function countRefreshes(
  provider: Provider,
  oauth: ProviderOAuth,
  metrics: Pick<Metrics, 'tokenRefreshed'>,
): ProviderOAuth {
  return {
    ...oauth,
    async refresh(refreshToken) {
      try {
        const grant = await oauth.refresh(refreshToken);
        metrics.tokenRefreshed(provider, 'refreshed');
        return grant;
      } catch (error) {
        metrics.tokenRefreshed(provider, error instanceof InvalidGrant ? 'refused' : 'failed');
        throw error;
      }
    },
  };
}
