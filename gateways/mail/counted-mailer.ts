import type { Metrics } from '../telemetry/metrics.ts';
import { MailError, type Mailer } from './mailer.ts';

/** Returns the same mailer, with its mails counted by their outcome. */
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
