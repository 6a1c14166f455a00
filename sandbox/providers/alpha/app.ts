import { z } from 'zod';

/** What the authorization page does with a merchant's browser, and for which merchant. */
export const Consent = z.object({
  mode: z.union([
    z.enum(['page', 'approve', 'deny']),
    z.object({ slowMs: z.int().min(0).max(600_000) }),
  ]),
  /** The one that approves without a page; the first merchant when absent. */
  merchantId: z.string().optional(),
});
export type Consent = z.infer<typeof Consent>;

/** How OAuth words an error: as all of the API does, or as `{message, type}` (1.4). */
export const OAuthErrorShape = z.enum(['envelope', 'message']);
export type OAuthErrorShape = z.infer<typeof OAuthErrorShape>;

/** The app as registered with the provider, and how OAuth behaves towards it now. */
export class App {
  readonly id: string;
  readonly secret: string;
  /** Where a merchant's browser is sent back to; undefined when none was registered. */
  readonly redirectUrl: string | undefined;
  consent: Consent = { mode: 'page' };
  errorShape: OAuthErrorShape = 'envelope';

  constructor(registered: { id: string; secret: string; redirectUrl: string | undefined }) {
    this.id = registered.id;
    this.secret = registered.secret;
    this.redirectUrl = registered.redirectUrl;
  }
}
