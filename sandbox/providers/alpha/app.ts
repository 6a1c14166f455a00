import { z } from 'zod';
import type { Consent } from '../shared/consent.ts';

/** The form of OAuth errors: the envelope of the rest of the API, or `{message, type}`. */
export const OAuthErrorShape = z.enum(['envelope', 'message']);
export type OAuthErrorShape = z.infer<typeof OAuthErrorShape>;

/** The app as registered with the provider, and how OAuth currently treats it. */
export class App {
  readonly id: string;
  readonly secret: string;
  /** Where a merchant's browser is redirected; undefined when none was registered. */
  readonly redirectUrl: string | undefined;
  consent: Consent = { mode: 'page' };
  errorShape: OAuthErrorShape = 'envelope';

  constructor(registered: { id: string; secret: string; redirectUrl: string | undefined }) {
    this.id = registered.id;
    this.secret = registered.secret;
    this.redirectUrl = registered.redirectUrl;
  }
}
