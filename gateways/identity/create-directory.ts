import type { IdentityDirectory } from './directory.ts';
import { createGotrueDirectory } from './gotrue.ts';
import { createKeycloakDirectory } from './keycloak.ts';

export type DirectorySettings = {
  kind: 'mail' | 'gotrue' | 'keycloak';
  adminUrl?: string | undefined;
  adminToken?: string | undefined;
};

/** Creates the configured directory. Throws when it lacks a URL or a token. */
export function createDirectory(settings: DirectorySettings): IdentityDirectory {
  const { kind, adminUrl, adminToken } = settings;
  if (kind === 'mail') return onlyMails;
  if (adminUrl === undefined || adminToken === undefined) {
    throw new Error(`IDENTITY_DIRECTORY=${kind} needs IDENTITY_ADMIN_URL and IDENTITY_ADMIN_TOKEN`);
  }
  const create = kind === 'gotrue' ? createGotrueDirectory : createKeycloakDirectory;
  return create({ url: adminUrl, token: adminToken });
}

/** Works with any identity provider: our own mail has a link to sign in or sign up. */
const onlyMails: IdentityDirectory = {
  invite: async () => ({ isMailed: false }),
  async check() {},
};
