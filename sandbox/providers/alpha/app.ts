import { z } from 'zod';
import type { Consent } from '../shared/consent.ts';

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
