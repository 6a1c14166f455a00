import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { builtApps, builtComponents } from '../web/build.ts';
import { startAppServer } from './apps/server.ts';
import { salePath } from './developer/sale-page.ts';
import { TEST_SALES } from './developer/test-sale.ts';
import { AUDIENCE, apiUrl, webhookUrl } from './environment.ts';
import { PEOPLE } from './identity/people.ts';
import { startIdentityProvider } from './identity/provider.ts';
import { CLIENT_ID } from './identity/sign-in.ts';
import { startMailSink } from './mail/sink.ts';
import type { Ports } from './processes/kept-ports.ts';
import { forEachProvider, type Simulators, simulatedProviders } from './providers/index.ts';
import type { StartOptions } from './start-options.ts';
import type { State } from './state.ts';

/** Starts what stands around the service: sign-in, mail and providers. */
export async function startExternalServices(options: StartOptions, state: State, ports: Ports) {
  const { dir, fresh, progress, onStarted } = options;
  const { secrets } = state;
  const addedPeopleFile = join(dir, 'people.json');
  if (fresh) await rm(addedPeopleFile, { force: true });
  const identity = await progress.step(
    'Sign-in (OIDC)',
    () =>
      startIdentityProvider({
        port: ports.identity,
        signingKey: secrets.oidcSigningKey,
        people: PEOPLE,
        audience: AUDIENCE,
        addedPeopleFile,
      }),
    ({ url }) => url,
  );
  onStarted('identity provider', identity.stop);

  if (fresh) await rm(join(dir, 'mail'), { recursive: true, force: true });
  const mail = await progress.step(
    'Mail',
    () => startMailSink({ port: ports.smtp, webPort: ports.mail, dir: join(dir, 'mail') }),
    ({ webUrl }) => webUrl,
  );
  onStarted('mail sink', mail.stop);

  const simulators = await startProviders(options, state, ports);
  return { issuer: identity.issuer, people: identity.people, mail, simulators };
}

/** Builds the reference apps if they have changed, and serves them. */
export async function startApps({ progress, onStarted }: StartOptions, ports: Ports) {
  const config = () => ({
    api: apiUrl(ports.api),
    issuer: `http://127.0.0.1:${ports.identity}`,
    clientId: CLIENT_ID,
    scope: 'openid profile email phone offline_access',
    testSales: `http://127.0.0.1:${ports.developer}${TEST_SALES}`,
  });
  const apps = await progress.step(
    'Apps',
    async () =>
      startAppServer({
        port: ports.apps,
        folder: await builtApps(),
        components: builtComponents,
        config,
      }),
    ({ url }) => url,
  );
  onStarted('apps', apps.stop);
  return apps;
}

/** Starts the simulated providers, with the API's addresses registered. */
async function startProviders(
  { dir, fresh, progress, onStarted }: StartOptions,
  { secrets }: State,
  ports: Ports,
): Promise<Simulators> {
  const api = apiUrl(ports.api);
  const developerPage = `http://127.0.0.1:${ports.developer}`;
  return forEachProvider(async (provider) => {
    const stateFile = join(dir, `${provider}.json`);
    if (fresh) await rm(stateFile, { force: true });
    const simulator = await progress.step(
      `Provider ${provider}`,
      () =>
        simulatedProviders[provider].start({
          port: ports[provider],
          secrets: secrets.providers[provider],
          webhookUrl: webhookUrl(api, provider),
          redirectUrl: `${api}/api/v1/oauth/${provider}/callback`,
          stateFile,
          outcomeUrl: (paymentId) => developerPage + salePath(provider, paymentId),
        }),
      ({ url }) => `${url} (simulated)`,
    );
    onStarted(`provider ${provider}`, simulator.stop);
    return simulator;
  });
}
