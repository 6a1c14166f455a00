import { loadConfig } from '../../config.ts';
import { ConfigError } from '../../gateways/setting-files.ts';

/** The required settings, each with a valid value. */
export function requiredEnv(): Record<string, string> {
  return {
    API_BASE_URL: 'https://api.shop.example',
    FRONTEND_URL: 'https://app.shop.example',
    DATABASE_URL: 'postgres://service@db.shop.example/loyalty',
    OIDC_ISSUER: 'https://id.shop.example',
    OIDC_AUDIENCE: 'loyalty-api',
    ADMIN_EMAIL_DOMAIN: 'staff.example',
    ENCRYPTION_KEY: '00112233445566778899aabbccddeeff'.repeat(2),
    CRON_SECRET: 'sixteen letters!',
    SMTP_URL: 'smtp://mail.shop.example:587',
    MAIL_FROM: 'Loyalty <no-reply@shop.example>',
    OBJECT_STORE_URL: 'file:///var/lib/loyalty/objects',
  };
}

/** Returns the problems that loading reports, one line each. */
export function problemsOf(load: () => unknown): string[] {
  try {
    load();
  } catch (error) {
    if (error instanceof ConfigError) return linesOf(error.message);
    throw error;
  }
  return [];
}

/** The lines of a message below its heading. */
export const linesOf = (text: string) => text.trim().split('\n').slice(1);
/** Loads the required settings with changes. */
export const load = (changes: Record<string, string | undefined> = {}) =>
  loadConfig({ ...requiredEnv(), ...changes });
