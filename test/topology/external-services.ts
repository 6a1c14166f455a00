import { join } from 'node:path';
import { type MailSink, startMailSink } from '../../sandbox/mail/sink.ts';
import { type AlphaSimulator, startAlpha } from '../../sandbox/providers/alpha/simulator.ts';
import { type BetaSimulator, startBeta } from '../../sandbox/providers/beta/simulator.ts';
import { type Issuer, startIssuer } from '../support/people/issuer.ts';

export type ExternalServices = {
  issuer: Issuer;
  mail: MailSink;
  alpha: AlphaSimulator;
  beta: BetaSimulator;
  /** The settings with which the service reaches them. */
  env: Record<string, string>;
};

export const SIGNATURE_KEY = 'the signature key of the topology';
const ALPHA_APP = {
  appId: 'topology-alpha-app',
  appSecret: 'the alpha app secret of the topology',
};
const BETA_APP = { appId: 'topology-beta-app', appSecret: 'the beta app secret of the topology' };
const BETA_WEBHOOK_SECRET = 'the webhook secret of the topology';

/** Starts the external services: a token issuer, a mail server, and both providers. */
export async function startExternalServices(
  folder: string,
  url: string,
  onClose: (cleanUp: () => Promise<void>) => void,
): Promise<ExternalServices> {
  const issuer = await startIssuer();
  onClose(issuer.close);
  const mail = await startMailSink({ port: 0, webPort: 0, dir: join(folder, 'mail') });
  onClose(mail.stop);
  const registered = (provider: string) => ({
    port: 0,
    webhookUrl: `${url}/api/v1/webhooks/${provider}`,
    redirectUrl: `${url}/api/v1/oauth/${provider}/callback`,
  });
  const alpha = await startAlpha({
    ...registered('alpha'),
    ...ALPHA_APP,
    signatureKey: SIGNATURE_KEY,
  });
  onClose(alpha.stop);
  const beta = await startBeta({
    ...registered('beta'),
    ...BETA_APP,
    webhookSecret: BETA_WEBHOOK_SECRET,
  });
  onClose(beta.stop);
  const env = {
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: 'loyalty-api',
    SMTP_URL: mail.smtpUrl,
    MAIL_FROM: 'loyalty@example.com',
    ALPHA_APP_ID: ALPHA_APP.appId,
    ALPHA_APP_SECRET: ALPHA_APP.appSecret,
    ALPHA_ORIGIN: alpha.url,
    ALPHA_WEBHOOK_SIGNATURE_KEY: SIGNATURE_KEY,
    BETA_APP_ID: BETA_APP.appId,
    BETA_APP_SECRET: BETA_APP.appSecret,
    BETA_WEB_ORIGIN: beta.url,
    BETA_API_ORIGIN: beta.url,
    BETA_WEBHOOK_SECRET,
  };
  return { issuer, mail, alpha, beta, env };
}
