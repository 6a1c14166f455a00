import {
  ErrorResponse,
  InMemoryWebStorage,
  type User,
  UserManager,
  WebStorageStateStore,
} from 'oidc-client-ts';
import { LoyaltyError } from '../../sdk/index.ts';
import type { AppConfig } from './config.ts';
import { forgetDrafts } from './drafts.ts';
import { endPushes } from './pushes.ts';

export type SessionState =
  | { status: 'signed-in'; sub: string; name: string | undefined }
  /** Nothing can be asked at the moment; what was last seen is this person's. */
  | { status: 'offline'; sub: string }
  | { status: 'signed-out'; why: 'not-yet' | 'ended' | 'refused' };

/** Who uses the app. Tokens are kept in memory only, and never leave this module but to the API. */
export type Session = {
  state(): SessionState;
  subscribe(listener: () => void): () => void;
  /** Leaves the page for the identity provider, which asks who it is. */
  signIn(): Promise<void>;
  /** Leaves the page for the identity provider, which forgets who it was. */
  signOut(): Promise<void>;
  /** The access token for the API; undefined once the sign-in has ended. */
  token(wanted: { refresh: boolean }): Promise<string | undefined>;
};

/**
 * Opens the session of an app: takes up a sign-in that has just been made, or asks the identity
 * provider, without a question to the person, whether they are still signed in there. In the second
 * case the page is left, and the promise stays pending.
 */
export async function openSession(config: AppConfig, app: string): Promise<Session> {
  const home = homeOf(app);
  const manager = managerFor(config, app, home);
  const mark = markOf(app);
  const listeners = new Set<() => void>();
  let state: SessionState = { status: 'signed-out', why: 'not-yet' };
  const become = (next: SessionState) => {
    state = next;
    for (const listener of listeners) listener();
  };
  /**
   * Whatever ends a session leaves nothing of it: no mark, no memory, no token. What was being
   * written waits in its tab for the same person, unless they have signed out themselves.
   */
  const end = (why: 'not-yet' | 'ended') => {
    mark.clear();
    become({ status: 'signed-out', why });
  };
  const askSilently = (sub: string) =>
    // The tab is on its way to the identity provider once this has been resolved.
    manager.signinRedirect({ prompt: 'none', state: { url: hereOf(home), sub } }).then(
      () => new Promise<never>(() => {}),
      () => become({ status: 'offline', sub }),
    );

  const known = mark.read();
  if (location.pathname === `/${app}/signed-in`) become(await arrived(manager, app, mark));
  else if (known !== undefined) {
    if (navigator.onLine) await askSilently(known);
    else become({ status: 'offline', sub: known });
  }
  // A page that could not ask who it is learns it as soon as it can.
  const askAgain = () => {
    if (state.status === 'offline' && navigator.onLine) void askSilently(state.sub);
  };
  addEventListener('online', askAgain);
  setInterval(askAgain, ASK_AGAIN_MS);

  let renewing: Promise<User | null> | undefined;
  /** However many calls need a new token: a refresh token is often worth only one use. */
  const renewOnce = () => {
    renewing ??= renew(manager).finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
  // Somebody has signed out in another tab, or somebody else in.
  const compare = () => {
    if (state.status === 'signed-out' || mark.read() === state.sub) return;
    mark.clear(state.sub);
    forgetDrafts();
    become({ status: 'signed-out', why: 'ended' });
    void manager.removeUser();
  };
  addEventListener('storage', compare);
  // A page that the browser had put aside has heard of nothing.
  addEventListener('pageshow', compare);

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    signIn: () => manager.signinRedirect({ prompt: 'login', state: { url: hereOf(home) } }),
    async signOut() {
      forgetDrafts();
      end('not-yet');
      await endPushes(app);
      await manager.signoutRedirect().catch(() => manager.removeUser());
    },
    async token({ refresh }) {
      const user = await manager.getUser();
      if (user === null) return undefined;
      if (!refresh && user.expired !== true) return user.access_token;
      if (!navigator.onLine) return undefined;
      const renewed = user.refresh_token === undefined ? null : await renewOnce();
      if (renewed !== null) return renewed.access_token;
      end('ended');
      await manager.removeUser();
      return undefined;
    },
  };
}

/** How long a page waits that could not ask who it is. */
const ASK_AGAIN_MS = 30_000;

const homeOf = (app: string) => `${location.origin}/${app}/`;

/** What each app is for: where tokens need scopes, its tokens are good for nothing else. */
const OWN_SCOPES: Readonly<Record<string, string>> = {
  wallet: 'wallet',
  till: 'till',
  portal: 'shop',
  office: 'admin',
};

function managerFor(config: AppConfig, app: string, home: string): UserManager {
  const { issuer, clientId, ownScope, audience } = config;
  const scope = ownScope ? `${config.scope} ${OWN_SCOPES[app]}` : config.scope;
  return new UserManager({
    authority: issuer,
    client_id: clientId,
    redirect_uri: `${home}signed-in`,
    post_logout_redirect_uri: home,
    scope,
    ...(audience !== undefined && { extraQueryParams: { audience } }),
    // What has to survive the way to the provider and back: the verifier of PKCE, and no token.
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    // One that does not answer is as good as away.
    requestTimeoutInSeconds: 10,
    automaticSilentRenew: false,
    monitorSession: false,
  });
}

type Mark = ReturnType<typeof markOf>;

/**
 * Remembers, in this browser, whose app it is; no token, no name, no address. What the app itself
 * keeps there, as `loyalty.APP.….SUB`, goes with it when somebody else signs in, or nobody.
 */
function markOf(app: string) {
  const name = `loyalty.${app}.sub`;
  const read = () => localStorage.getItem(name) ?? undefined;
  /** Of one person, or of everybody. */
  const clear = (sub?: string) => {
    const end = sub === undefined ? '' : `.${sub}`;
    const gone = Object.keys(localStorage).filter(
      (key) => key.startsWith(`loyalty.${app}.`) && key.endsWith(end),
    );
    for (const key of gone) localStorage.removeItem(key);
  };
  return {
    read,
    clear,
    write(sub: string) {
      if (read() !== sub) clear();
      forgetDrafts(sub);
      localStorage.setItem(name, sub);
    },
  };
}

/** Takes up what the identity provider answered, and puts the address back that was left. */
async function arrived(manager: UserManager, app: string, mark: Mark): Promise<SessionState> {
  const home = homeOf(app);
  try {
    const user = await manager.signinRedirectCallback();
    const { url, sub } = leftBehind(user.state);
    history.replaceState(null, '', url ?? home);
    if (sub !== undefined && sub !== user.profile.sub) {
      // Somebody else has signed in there meanwhile: this app is not handed over to them unasked.
      mark.clear();
      forgetDrafts();
      await manager.removeUser();
      return { status: 'signed-out', why: 'ended' };
    }
    await endPushes(app, user.profile.sub);
    mark.write(user.profile.sub);
    return signedIn(user);
  } catch (error) {
    const { url } = leftBehind(error instanceof ErrorResponse ? error.state : undefined);
    history.replaceState(null, '', url ?? home);
    const isOver = error instanceof ErrorResponse && error.error === 'login_required';
    mark.clear();
    return { status: 'signed-out', why: isOver ? 'ended' : 'refused' };
  }
}

function signedIn({ profile }: User): SessionState {
  return { status: 'signed-in', sub: profile.sub, name: profile.name };
}

/** Asks for a new token; null if the identity provider refuses it. Throws if it cannot be asked. */
async function renew(manager: UserManager): Promise<User | null> {
  try {
    return await manager.signinSilent();
  } catch (cause) {
    if (cause instanceof ErrorResponse && !isOverloaded(cause)) return null;
    const message = 'The identity provider cannot be reached.';
    throw new LoyaltyError(message, { code: 'UNREACHABLE', cause });
  }
}

function isOverloaded({ error }: ErrorResponse): boolean {
  return error === 'server_error' || error === 'temporarily_unavailable';
}

/** The address that was left, without its origin. */
function hereOf(home: string): string {
  const isArrival = location.href.startsWith(`${home}signed-in`);
  return isArrival ? home : `${location.pathname}${location.search}${location.hash}`;
}

function leftBehind(state: unknown): { url?: string; sub?: string } {
  if (typeof state !== 'object' || state === null) return {};
  const url = 'url' in state && typeof state.url === 'string' ? state.url : undefined;
  const sub = 'sub' in state && typeof state.sub === 'string' ? state.sub : undefined;
  return {
    // Never another origin: the state is what the app itself wrote, but costs nothing to check.
    ...(url?.startsWith('/') && !url.startsWith('//') && { url }),
    ...(sub !== undefined && { sub }),
  };
}
