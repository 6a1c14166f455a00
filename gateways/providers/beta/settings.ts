import { z } from 'zod';
import { origin, text } from '../../../domain/setting-forms.ts';

/** What API and worker read; `.env.example` explains each name. */
export const BetaSettings = z.object({
  BETA_APP_ID: text.optional(),
  BETA_APP_SECRET: text.optional(),
  BETA_ENVIRONMENT: z.enum(['sandbox', 'production']).default('sandbox'),
  BETA_REGION: z.enum(['na', 'eu', 'la']).default('na'),
  BETA_WEB_ORIGIN: origin.optional(),
  BETA_API_ORIGIN: origin.optional(),
});
export type BetaSettings = z.output<typeof BetaSettings>;

/** What only the API reads. */
export const BetaWebhookSettings = z.object({ BETA_WEBHOOK_SECRET: text.optional() });
