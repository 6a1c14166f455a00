import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PROVIDERS, type Provider } from '../domain/payment.ts';
import { builtApps } from '../web/build.ts';
import { startAppServer } from './apps/server.ts';
import { salePath } from './developer/sale-page.ts';
import { AUDIENCE, apiUrl, webhookUrl } from './environment.ts';
import { PEOPLE } from './identity/people.ts';
import { startIdentityProvider } from './identity/provider.ts';
import { CLIENT_ID } from './identity/sign-in.ts';
import { startMailSink } from './mail/sink.ts';
import type { KeptPorts } from './processes/kept-ports.ts';
import { startAlpha } from './providers/alpha/simulator.ts';
import { startBeta } from './providers/beta/simulator.ts';
import type { StartOptions } from './start-options.ts';
import type { State } from './state.ts';

/** Starts what stands around the service: sign-in, mail, providers, and the apps of its people. */
export async function startExternalServices(options: StartOptions, state: State, ports: KeptPorts) {
  const { dir, fresh, progress, onStarted } = options;
  const { secrets } = state;
  const identityPort = await ports.take('identity');
  const addedPeopleFile = join(dir, 'people.json');
  if (fresh) await rm(addedPeopleFile, { force: true });
  const identity = await progress.step(
    'Sign-in (OIDC)',
    () =>
      startIdentityProvider({
        port: identityPort,
        signingKey: secrets.oidcSigningKey,
        people: PEOPLE,
        audience: AUDIENCE,
        addedPeopleFile,
      }),
    ({ url }) => url,
  );
  onStarted('identity provider', identity.stop);

  const smtpPort = await ports.take('smtp');
  const webPort = await ports.take('mail');
  if (fresh) await rm(join(dir, 'mail'), { recursive: true, force: true });
  const mail = await progress.step(
    'Mail',
    () => startMailSink({ port: smtpPort, webPort, dir: join(dir, 'mail') }),
    ({ webUrl }) => webUrl,
  );
  onStarted('mail sink', mail.stop);

  const apiPort = await ports.take('api');
  // Known before it is started: the tills lead there.
  const developerPort = await ports.take('developer');
  const providers = await startProviders(options, state, ports, {
    api: apiUrl(apiPort),
    developerPage: `http://127.0.0.1:${developerPort}`,
  });
  const { issuer, people } = identity;
  const apps = await startApps(options, ports, { api: apiUrl(apiPort), issuer });
  return { issuer, people, mail, apps, apiPort, developerPort, ...providers };
}

/** Builds the reference apps if they have changed, and serves them. */
async function startApps(
  { progress, onStarted }: StartOptions,
  ports: KeptPorts,
  at: { api: string; issuer: string },
) {
  const port = await ports.take('apps');
  const config = () => ({
    ...at,
    clientId: CLIENT_ID,
    scope: 'openid profile email phone offline_access',
  });
  const apps = await progress.step(
    'Apps',
    async () => startAppServer({ port, folder: await builtApps(), config }),
    ({ url }) => url,
  );
  onStarted('apps', apps.stop);
  return apps;
}

/** Starts the simulated providers, with the API's addresses registered. */
async function startProviders(
  options: StartOptions,
  state: State,
  ports: KeptPorts,
  { api, developerPage }: { api: string; developerPage: string },
) {
  const { dir, fresh, progress, onStarted } = options;
  const { secrets } = state;
  const registered = (provider: Provider) => ({
    webhookUrl: webhookUrl(api, provider),
    redirectUrl: `${api}/api/v1/oauth/${provider}/callback`,
    stateFile: join(dir, `${provider}.json`),
    outcomeUrl: (paymentId: string) => developerPage + salePath(provider, paymentId),
  });
  if (fresh) for (const name of PROVIDERS) await rm(registered(name).stateFile, { force: true });

  const alphaPort = await ports.take('alpha');
  const alpha = await progress.step(
    'Provider alpha',
    () =>
      startAlpha({
        ...registered('alpha'),
        port: alphaPort,
        appId: secrets.alphaAppId,
        appSecret: secrets.alphaAppSecret,
        signatureKey: secrets.alphaSignatureKey,
      }),
    ({ url }) => `${url} (simulated)`,
  );
  onStarted('provider alpha', alpha.stop);

  const betaPort = await ports.take('beta');
  const beta = await progress.step(
    'Provider beta',
    () =>
      startBeta({
        ...registered('beta'),
        port: betaPort,
        appId: secrets.betaAppId,
        appSecret: secrets.betaAppSecret,
        webhookSecret: secrets.betaWebhookSecret,
      }),
    ({ url }) => `${url} (simulated)`,
  );
  onStarted('provider beta', beta.stop);
  return { alpha, beta };
}
