import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import type Provider from 'oidc-provider';
import { z } from 'zod';
import { type Html, html, sendPage } from '../html.ts';
import { type Directory, type Listed, Newcomer } from './directory.ts';
import { isPersonName, type Person } from './people.ts';
import { beginSignIn, redeemCode } from './sign-in.ts';

const PENDING_COOKIE = 'pending_sign_in';
const PENDING_MS = 10 * 60_000;
const PendingSignIn = z.object({ verifier: z.string(), state: z.string() });

type Options = { provider: Provider; issuer: string; directory: Directory };

/** Serves the provider with its own pages: to choose a person, and to show the access token. */
export function createIdentityPages(options: Options): Koa {
  const { provider, issuer } = options;
  const router = new Router();
  router.get('/', showStart);
  router.get('/sign-in', (ctx) => startSignIn(ctx, issuer));
  router.get('/signed-in', (ctx) => showToken(ctx, issuer));
  router.get('/interaction/:uid', (ctx) => showPeople(ctx, options));
  const form = bodyParser({ enableTypes: ['form'] });
  router.post('/interaction/:uid', form, (ctx) => choosePerson(ctx, options));
  router.post('/interaction/:uid/people', form, (ctx) => addPerson(ctx, options));

  const app = new Koa();
  app.use(router.routes());
  const answer = provider.callback();
  app.use(async (ctx) => {
    if (ctx.path === '/auth') ctx.req.url = withConsent(ctx.url);
    ctx.respond = false;
    await answer(ctx.req, ctx.res);
  });
  return app;
}

function showStart(ctx: Context): void {
  sendPage(
    ctx,
    'Sandbox identity provider',
    html`<p><a href="/sign-in">Sign in</a> as one of the sandbox's people, or as somebody new, to
get an access token.
In a terminal, <code>npm run token -- consumer</code> does the same.</p>`,
  );
}

/**
 * An app that asks for `offline_access` gets a refresh token, also if it does not ask for consent,
 * as the standard wants it: most identity providers do not insist on that either.
 */
function withConsent(path: string): string {
  const url = new URL(path, 'http://localhost');
  const listed = (name: string) => (url.searchParams.get(name) ?? '').split(' ').filter(Boolean);
  const prompts = listed('prompt');
  const isOffline = listed('scope').includes('offline_access');
  if (!isOffline || prompts.includes('consent') || prompts.includes('none')) return path;
  url.searchParams.set('prompt', [...prompts, 'consent'].join(' '));
  return `${url.pathname}${url.search}`;
}

async function startSignIn(ctx: Context, issuer: string): Promise<void> {
  // The cookie below must belong to the address to which the provider redirects.
  if (ctx.host !== new URL(issuer).host) return ctx.redirect(`${issuer}/sign-in`);

  const { url, verifier, state } = await beginSignIn(issuer, `${issuer}/signed-in`);
  const pending = Buffer.from(JSON.stringify({ verifier, state })).toString('base64url');
  ctx.cookies.set(PENDING_COOKIE, pending, { maxAge: PENDING_MS, sameSite: 'lax' });
  ctx.redirect(url);
}

async function showToken(ctx: Context, issuer: string): Promise<void> {
  const pending = readPending(ctx.cookies.get(PENDING_COOKIE));
  ctx.cookies.set(PENDING_COOKIE, null);
  const { code, state } = ctx.query;
  if (pending === undefined || typeof code !== 'string' || state !== pending.state) {
    ctx.status = 400;
    const again = html`<p>No sign-in was started here. <a href="/sign-in">Start again</a>.</p>`;
    return sendPage(ctx, 'Not signed in', again);
  }
  const redirectUri = `${issuer}/signed-in`;
  const token = await redeemCode({ issuer, code, verifier: pending.verifier, redirectUri });
  sendPage(
    ctx,
    'Signed in',
    html`<p>Your access token, valid for an hour:</p>
<textarea readonly id="token" aria-label="Access token" rows="10">${token}</textarea>
<p>Use it as <code>Authorization: Bearer …</code>, or <a href="/sign-in">sign in as someone
else</a>.</p>`,
  );
}

async function showPeople(ctx: Context, { provider, directory }: Options): Promise<void> {
  const { uid, prompt } = await provider.interactionDetails(ctx.req, ctx.res);
  if (prompt.name === 'consent') {
    const given = { consent: {} };
    const merged = { mergeWithLastSubmission: true };
    return ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, given, merged));
  }
  sendPage(
    ctx,
    'Sign in to the sandbox',
    html`<form method="post" action="/interaction/${uid}">
<p>Choose who you are. Nobody here needs a password.</p>
<ul class="people wide">${directory.list().map(personButton)}</ul></form>
${newcomerForm(uid)}`,
  );
}

function personButton({ key, person }: Listed): Html {
  const kind = isPersonName(key) ? `, ${key}` : '';
  const unverified = person.email_verified ? '' : ' (not verified)';
  return html`<li><button name="person" value="${key}">Sign in as ${person.name}${kind}</button>
<span class="muted">${person.email}${unverified}</span></li>`;
}

function newcomerForm(uid: string): Html {
  return html`<h2>Somebody new</h2>
<form method="post" action="/interaction/${uid}/people">
<label>Name <input name="name" maxlength="100" required></label>
<label>E-mail <input name="email" type="email" required></label>
<label><input name="isVerified" type="checkbox" checked> the e-mail address is verified</label>
<label><input name="wantsShop" type="checkbox"> wants a shop, and waits for an administrator's
approval; otherwise a consumer at once</label>
<button>Add, and sign in</button></form>`;
}

async function choosePerson(ctx: Context, options: Options): Promise<void> {
  const { person } = z.object({ person: z.string() }).catch({ person: '' }).parse(ctx.request.body);
  const chosen = options.directory.named(person);
  if (chosen === undefined) {
    const keys = options.directory.list().map(({ key }) => key);
    ctx.throw(400, `The sandbox has no such person, only ${keys.join(', ')}.`);
  }
  await signIn(ctx, options, chosen);
}

async function addPerson(ctx: Context, options: Options): Promise<void> {
  // Throws when no sign-in was started in this browser: no other page can add people.
  await options.provider.interactionDetails(ctx.req, ctx.res);
  const newcomer = Newcomer.safeParse(ctx.request.body);
  if (!newcomer.success) {
    return refuse(ctx, newcomer.error.issues.map(({ message }) => message).join(' '));
  }
  try {
    await signIn(ctx, options, options.directory.add(newcomer.data));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    refuse(ctx, error.message);
  }
}

function refuse(ctx: Context, reason: string): void {
  ctx.status = 400;
  sendPage(ctx, 'Not added', html`<p>${reason} Go back, and change it.</p>`);
}

async function signIn(ctx: Context, { provider }: Options, { sub }: Person): Promise<void> {
  const result = { login: { accountId: sub } };
  ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, result));
}

function readPending(cookie: string | undefined) {
  try {
    const text = Buffer.from(cookie ?? '', 'base64url').toString('utf8');
    return PendingSignIn.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
