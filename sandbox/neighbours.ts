import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startAlpha } from './alpha/simulator.ts';
import { AUDIENCE, apiUrl } from './environment.ts';
import { startIdentityProvider } from './identity-provider.ts';
import type { KeptPorts } from './kept-ports.ts';
import { startMailSink } from './mail-sink.ts';
import { PEOPLE } from './people.ts';
import type { ShopOptions } from './shop.ts';
import type { State } from './state.ts';

/** Starts what stands in for the outside world: who people are, their mail, the point of sale. */
export async function openNeighbours(options: ShopOptions, state: State, ports: KeptPorts) {
  const { dir, fresh, progress, opened } = options;
  const { secrets } = state;
  const identityPort = await ports.take('identity');
  const identity = await progress.step(
    'Sign-in (OIDC)',
    () =>
      startIdentityProvider({
        port: identityPort,
        signingKey: secrets.oidcSigningKey,
        people: PEOPLE,
        audience: AUDIENCE,
      }),
    ({ url }) => url,
  );
  opened('identity provider', identity.stop);

  const smtpPort = await ports.take('smtp');
  const webPort = await ports.take('mail');
  if (fresh) await rm(join(dir, 'mail'), { recursive: true, force: true });
  const mail = await progress.step(
    'Mail',
    () => startMailSink({ port: smtpPort, webPort, dir: join(dir, 'mail') }),
    ({ webUrl }) => webUrl,
  );
  opened('mail sink', mail.stop);

  const alphaPort = await ports.take('alpha');
  const apiPort = await ports.take('api');
  const stateFile = join(dir, 'alpha.json');
  if (fresh) await rm(stateFile, { force: true });
  const alpha = await progress.step(
    'Provider alpha',
    () =>
      startAlpha({
        port: alphaPort,
        appId: secrets.alphaAppId,
        appSecret: secrets.alphaAppSecret,
        signatureKey: secrets.alphaSignatureKey,
        webhookUrl: `${apiUrl(apiPort)}/api/v1/webhooks/alpha`,
        stateFile,
      }),
    ({ url }) => `${url} (simulated)`,
  );
  opened('provider alpha', alpha.stop);
  return { issuer: identity.issuer, mail, alpha, apiPort };
}
