import { randomBytes } from 'node:crypto';
import { ObjectName } from '../../domain/ids.ts';
import { PROVIDERS, type Provider } from '../../domain/payment.ts';
import type { IdentityDirectory } from '../identity/directory.ts';
import { checkMailServer } from '../mail/mailer.ts';
import type { ObjectStore } from '../objects/store.ts';
import { type ProviderClients, providers } from '../providers/index.ts';
import { type Check, NotKnown } from './check.ts';

// Checks of what the service has an account at.

/** Whether the mail server takes our login. Nothing is sent. */
export function mailCheck(url: string): Check {
  return {
    name: 'mail server',
    todo: 'Check SMTP_URL: host, port, user and password; smtps:// is TLS from the start.',
    async look() {
      await checkMailServer(url);
      return `${new URL(url).host} takes our login`;
    },
  };
}

/**
 * Whether objects can be stored, read and deleted; without `writes`, only whether one that is not
 * there is said to be missing, so that nothing is left where objects are kept for good.
 */
export function objectsCheck(store: ObjectStore, { writes }: { writes: boolean }): Check {
  return {
    name: 'object store',
    todo:
      'Check OBJECT_STORE_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; the key may put, get ' +
      'and delete objects and list the bucket.',
    async look() {
      const name = ObjectName.parse(`${randomBytes(16).toString('hex')}.webp`);
      if ((await store.get(name)) !== undefined) throw new Error('it has what was never stored');
      if (!writes) return 'it answers; nothing was written';
      const bytes = Buffer.from('A check, which is deleted at once.');
      await store.put(name, { bytes, contentType: 'text/plain' });
      const read = await store.get(name);
      await store.delete(name);
      if (read?.equals(bytes)) return 'an object was stored, read and deleted';
      throw new Error('what was stored could not be read again');
    },
  };
}

/** Whether the identity provider lets us invite people. */
export function directoryCheck(directory: Pick<IdentityDirectory, 'check'>): Check {
  return {
    name: 'identity directory',
    todo: 'Check IDENTITY_ADMIN_URL, IDENTITY_ADMIN_TOKEN and its rights: docs/identity.md.',
    async look() {
      await directory.check();
      return 'it lets us invite';
    },
  };
}

type Settings = Readonly<Record<string, unknown>>;

/**
 * Whether each provider knows our app, and whether its webhooks can be verified: without `webhooks`
 * this process has not been given their keys.
 */
export function providerChecks(
  clients: ProviderClients,
  settings: Settings,
  webhooks: Settings | undefined,
): Check[] {
  const isUsed = (name: Provider) => isSet(settings[providers[name].settingNames.appId]);
  if (!PROVIDERS.some(isUsed)) {
    const [name, todo] = ['providers', 'Set the id and secret of an app: docs/production.md.'];
    const look = () =>
      Promise.reject(new Error('no app is configured, so that no shop can connect'));
    return [{ name, todo, look }];
  }
  return PROVIDERS.filter(isUsed).flatMap((name) => [
    appCheck(name, clients),
    webhookCheck(name, webhooks),
  ]);
}

function appCheck(name: Provider, clients: ProviderClients): Check {
  const { appId, appSecret, environment } = providers[name].settingNames;
  const { missing, knowsApp } = clients[name].oauth;
  return {
    name: `${name} app`,
    todo: `Compare ${appId}, ${appSecret} and ${environment} with ${name}'s console.`,
    async look() {
      if (missing.length > 0) throw new Error(`${missing.join(', ')} is not set`);
      const cannotTell = `${name} tells only when a merchant connects`;
      if (knowsApp === undefined) throw new NotKnown(cannotTell);
      const isKnown = await knowsApp();
      if (isKnown === undefined) throw new NotKnown(cannotTell);
      if (isKnown) return `${name} knows the id and the secret`;
      throw new Error(`${name} refuses the id or the secret`);
    },
  };
}

function webhookCheck(name: Provider, webhooks: Settings | undefined): Check {
  const { webhookKey } = providers[name].settingNames;
  return {
    name: `${name} webhooks`,
    todo: `Set ${webhookKey} to what ${name}'s console shows: docs/production.md.`,
    async look() {
      if (webhooks === undefined) throw new NotKnown('only an API has the key: ask there');
      if (isSet(webhooks[webhookKey]))
        return `${webhookKey} is set; a webhook shows if it is right`;
      throw new Error(`${webhookKey} is not set: all webhooks are refused`);
    },
  };
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}
