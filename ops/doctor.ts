import { ConfigSchema } from '../config.ts';
import { connect } from '../db/connection.ts';
import { type Finding, runChecks } from '../gateways/checks/check.ts';
import { ProviderSettings, WebhookSettings } from '../gateways/providers/index.ts';
import { ConfigError } from '../gateways/setting-files.ts';
import { checksFrom } from '../wiring.ts';
import { type Call, type Command, requireNoArguments } from './command.ts';
import { checkingBackups, databaseChecks } from './doctor-database.ts';

const Surroundings = ConfigSchema.pick({
  API_BASE_URL: true,
  OIDC_ISSUER: true,
  OIDC_JWKS_URL: true,
  SMTP_URL: true,
  OBJECT_STORE_URL: true,
  AWS_ACCESS_KEY_ID: true,
  AWS_SECRET_ACCESS_KEY: true,
  IDENTITY_DIRECTORY: true,
  IDENTITY_ADMIN_URL: true,
  IDENTITY_ADMIN_TOKEN: true,
  NODE_ENV: true,
}).extend(ProviderSettings.shape);

/** What only an API is given. */
const OfApi = ConfigSchema.pick({ CRON_SECRET: true, DATABASE_LISTEN_URL: true }).extend(
  WebhookSettings.shape,
);

export const doctor: Command = {
  usage: 'doctor',
  summary: 'Checks all that the service has around it, and says what to do about each fault',
  async run(call) {
    requireNoArguments(call.args);
    const place = call.database();
    const ofApi = settingsOfApi(call);
    const settings = call.settings(Surroundings);
    const db = connect(place, 2, 'loyalty-doctor');
    // Imported here, because few commands need Temporal's SDK, which takes long to load.
    const { withTemporal } = await import('./doctor-temporal.ts');
    try {
      const findings = await withTemporal(call.temporal(), db, (temporalChecks) =>
        runChecks([
          ...databaseChecks(db, ofApi && { url: ofApi.DATABASE_LISTEN_URL ?? place.url }),
          ...temporalChecks,
          ...checksFrom(settings, { webhooks: ofApi, writes: true }),
          checkingBackups(db),
        ]),
      );
      const failed = findings.some(({ state }) => state === 'failed');
      return { data: findings, text: describe(findings), failed };
    } finally {
      await db.destroy();
    }
  },
};

/** The settings of an API; undefined where they are not those of one. */
function settingsOfApi(call: Call) {
  try {
    return call.settings(OfApi);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

const STATES = { ok: 'ok', failed: 'FAILED', unknown: 'not known' } as const;

/** A line for each finding. */
function describe(findings: readonly Finding[]): string {
  const nameWidth = Math.max(...findings.map(({ name }) => name.length));
  return findings
    .map(({ name, state, text, todo }) => {
      const found = todo === undefined ? text : `${text}. ${todo}`;
      return `${STATES[state].padEnd(9)}  ${name.padEnd(nameWidth)}  ${found}\n`;
    })
    .join('');
}
