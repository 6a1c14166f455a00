import type { Provider } from '../../domain/payment.ts';
import { MailError, type Mailer } from '../mail/mailer.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { InvalidGrant, type OAuthByProvider, type ProviderOAuth } from './oauth.ts';

/** The same mailer, whose mails are counted by what became of them. */
export function countMails(mailer: Mailer, metrics: Pick<Metrics, 'mailed'>): Mailer {
  return {
    ...mailer,
    async send(mail) {
      try {
        await mailer.send(mail);
      } catch (error) {
        const isFinal = error instanceof MailError && !error.isTransient;
        metrics.mailed(isFinal ? 'refused' : 'failed');
        throw error;
      }
      metrics.mailed('sent');
    },
  };
}

/** The same ways to connect, whose refreshes are counted by what became of them. */
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
