import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '../db/connection.ts';
import { byProvider } from '../domain/payment.ts';
import { forgetCommandEnvironment, saveCommandEnvironment } from './command-environment.ts';
import { startDeveloperPage } from './developer/page.ts';
import type { Place } from './developer/place.ts';
import { apiUrl, serviceSettings, webhookUrl } from './environment.ts';
import { startApps, startExternalServices } from './external-services.ts';
import { balanceOfAda } from './first-sales.ts';
import { inherited } from './processes/inherited.ts';
import { keptPorts } from './processes/kept-ports.ts';
import { type Service, startService, stopServicesLeftBehind } from './processes/service.ts';
import { type SeedParts, seedTenant, signInAll, updateIssuer } from './seed.ts';
import { startDatabase, startTemporalServer } from './servers.ts';
import type { StartOptions } from './start-options.ts';
import { openState, type State, saveState } from './state.ts';
import { renderSummary } from './summary.ts';

/**
 * Starts all parts, side by side where they do not need each other, seeds the tenant if that was
 * not done before, and prints the addresses.
 */
export async function startAll(asked: StartOptions): Promise<void> {
  const { dir, progress } = asked;
  const { state, fresh } = await openState(dir, asked.fresh);
  const options = { ...asked, fresh };
  for (const service of await stopServicesLeftBehind(dir)) {
    progress.note(`Stopped the ${service} that an earlier start left behind`);
  }

  const kept = keptPorts(state.ports, progress.note);
  const ports = await kept.takeAll();
  const [database, temporal, outside, apps] = await Promise.all([
    startDatabase(options, kept),
    startTemporalServer(options, kept),
    startExternalServices(options, state, ports),
    startApps(options, ports),
  ]);
  // Saved for `npm run token` and for the next start.
  saveState(dir, state);
  const db = connect(database.databaseUrl, 2, 'loyalty-sandbox');
  options.onStarted('database', () => db.destroy());
  await updateIssuer(db, outside.issuer);

  const { databaseUrl, ownerUrl } = database;
  const settings = serviceSettings(dir, state, {
    ports,
    databaseUrl,
    temporalAddress: temporal.address,
    issuer: outside.issuer,
    smtpUrl: outside.mail.smtpUrl,
    providerUrls: byProvider((name) => outside.simulators[name].url),
    appsUrl: apps.url,
  });
  await startServices(options, { ...inherited(), ...settings });
  const api = apiUrl(ports.api);
  saveCommandEnvironment(dir, { settings, api, ownerUrl, temporalCli: temporal.cli });
  options.onStarted('environment of commands', async () => forgetCommandEnvironment(dir));

  const { issuer, people, simulators } = outside;
  const tenant = await ensureTenant(options, state, { db, api, issuer, simulators });
  const mail = outside.mail.webUrl;
  const webhookKeys = webhookKeysOf(state, api);
  const place = { api, issuer, db, temporal, mail, webhookKeys, tenant, people, simulators };
  const developerPage = await startDeveloperPageAt(ports.developer, options, place);
  process.stdout.write(
    renderSummary({
      ...place,
      balance: await balanceOfAda(place, progress),
      ports,
      apps: apps.url,
      developerPage,
    }),
  );
}

async function startServices(options: StartOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const { dir, progress } = options;
  const start = async (service: Service) => {
    const what = service === 'api' ? 'API' : 'Worker';
    const logFile = join(dir, 'logs', `${service}.log`);
    const { end, exited } = await progress.step(
      what,
      () => startService({ service, dir, env }),
      () => `ready, log in ${logFile}`,
    );
    options.onStarted(what, end, { exited, logFile });
  };
  await Promise.all([start('api'), start('worker')]);
}

async function startDeveloperPageAt(
  port: number,
  { dir, fresh, progress, onStarted }: StartOptions,
  place: Place,
): Promise<string> {
  const receiverFile = join(dir, 'webhook-receiver.json');
  if (fresh) await rm(receiverFile, { force: true });
  const { url, stop } = await progress.step(
    'Developer tools',
    () => startDeveloperPage({ ...place, port, receiverFile }),
    (page) => page.url,
  );
  onStarted('developer page', stop);
  return url;
}

/** Seeds the tenant if no earlier start has done so, and returns its ids. */
async function ensureTenant(
  { dir, progress }: StartOptions,
  state: State,
  { issuer, ...parts }: Omit<SeedParts, 'tokens'> & { issuer: string },
) {
  state.seeded ??= await progress.step(
    'Sample data',
    async () => seedTenant({ ...parts, tokens: await signInAll(parts.api, issuer) }),
    () => 'a merchant with all providers connected, and a rule of one point per ten cents',
  );
  saveState(dir, state);
  return state.seeded;
}

function webhookKeysOf({ secrets }: State, api: string) {
  return byProvider((name) => {
    return { key: secrets.providers[name].webhookKey, url: webhookUrl(api, name) };
  });
}
