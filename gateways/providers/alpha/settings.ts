import { z } from 'zod';
import { list, origin, seconds, text } from '../../../domain/setting-forms.ts';

/** What API and worker read; `.env.example` explains each name. */
export const AlphaSettings = z.object({
  ALPHA_APP_ID: text.optional(),
  ALPHA_APP_SECRET: text.optional(),
  ALPHA_ENVIRONMENT: z.enum(['sandbox', 'production']).default('sandbox'),
  ALPHA_ORIGIN: origin.optional(),
  ALPHA_POLL_INTERVAL_SECONDS: seconds.default(300),
  ALPHA_BACKUP_POLL_INTERVAL_SECONDS: seconds.default(3600),
});
export type AlphaSettings = z.output<typeof AlphaSettings>;

/** What only the API reads. */
export const AlphaWebhookSettings = z.object({ ALPHA_WEBHOOK_SIGNATURE_KEY: list });
