import { z } from 'zod';

const SLOW_MS = 5000;

/** How the authorization page answers a merchant's browser, and for which merchant. */
export const Consent = z.object({
  mode: z.union([
    z.enum(['page', 'approve', 'deny']),
    z.object({ slowMs: z.int().min(0).max(600_000) }),
  ]),
  /** The merchant that approves without a page; the first merchant when absent. */
  merchantId: z.string().optional(),
});
export type Consent = z.infer<typeof Consent>;

/** The modes that the page offers; `slow` approves after five seconds. */
export const CONSENT_CHOICES = ['page', 'approve', 'deny', 'slow'] as const;

/** Parses the consent mode that was chosen on the page. */
export function parseConsentChoice(form: unknown): Consent {
  const { mode } = z.object({ mode: z.enum(CONSENT_CHOICES) }).parse(form);
  return { mode: mode === 'slow' ? { slowMs: SLOW_MS } : mode };
}
