import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import type Provider from 'oidc-provider';
import { z } from 'zod';
import { html, sendPage } from '../html.ts';
import { isPersonName, PERSON_NAMES, type People } from './people.ts';
import { beginSignIn, redeemCode } from './sign-in.ts';

const PENDING_COOKIE = 'pending_sign_in';
const PENDING_MS = 10 * 60_000;
const PendingSignIn = z.object({ verifier: z.string(), state: z.string() });

type Options = { provider: Provider; issuer: string; people: People };

/** Serves the provider with its own pages: to choose a person, and to show the access token. */
export function createIdentityPages(options: Options): Koa {
  const { provider, issuer } = options;
  const router = new Router();
  router.get('/', showStart);
  router.get('/sign-in', (ctx) => startSignIn(ctx, issuer));
  router.get('/signed-in', (ctx) => showToken(ctx, issuer));
  router.get('/interaction/:uid', (ctx) => showPeople(ctx, options));
  router.post('/interaction/:uid', bodyParser({ enableTypes: ['form'] }), (ctx) =>
    choosePerson(ctx, options),
  );

  const app = new Koa();
  app.use(router.routes());
  const answer = provider.callback();
  app.use(async (ctx) => {
    ctx.respond = false;
    await answer(ctx.req, ctx.res);
  });
  return app;
}

function showStart(ctx: Context): void {
  sendPage(
    ctx,
    'Sandbox identity provider',
    html`<p><a href="/sign-in">Sign in</a> as one of the sandbox's people to get an access token.
In a terminal, <code>npm run token -- consumer</code> does the same.</p>`,
  );
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
<textarea readonly id="token">${token}</textarea>
<p>Use it as <code>Authorization: Bearer …</code>, or <a href="/sign-in">sign in as someone
else</a>.</p>`,
  );
}

async function showPeople(ctx: Context, { provider, people }: Options): Promise<void> {
  const { uid, prompt } = await provider.interactionDetails(ctx.req, ctx.res);
  if (prompt.name === 'consent') {
    const given = { consent: {} };
    const merged = { mergeWithLastSubmission: true };
    return ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, given, merged));
  }
  const buttons = PERSON_NAMES.map(
    (name) => html`<p><button name="person" value="${name}">Sign in as ${people[name].name},
${name}</button> ${people[name].email}</p>`,
  );
  const form = html`<form method="post" action="/interaction/${uid}">${buttons}</form>`;
  sendPage(ctx, 'Sign in to the sandbox', form);
}

async function choosePerson(ctx: Context, { provider, people }: Options): Promise<void> {
  const { person } = z.object({ person: z.string() }).catch({ person: '' }).parse(ctx.request.body);
  if (!isPersonName(person)) {
    ctx.throw(400, `The sandbox has no such person, only ${PERSON_NAMES.join(', ')}.`);
  }
  const result = { login: { accountId: people[person].sub } };
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
