import { randomBytes } from 'node:crypto';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { callApi } from './api-call.ts';
import { type Html, html, sendPage } from './html.ts';
import { beginSignIn, redeemCode } from './identity/sign-in.ts';

const COOKIE = 'invited_person';
const KEPT_MS = 60 * 60_000;

const Profile = z.object({
  email: z.string(),
  role: z.string(),
  pendingInvites: z.array(z.object({ inviteId: z.string(), tenantName: z.string() })),
});

type Visit = { inviteId: string; verifier: string; state: string; token?: string };
type Place = { api: string; issuer: string; url: string };

/**
 * Adds the page that an invite's mail links to. Whoever opens it signs in as themselves, and then
 * accepts or declines; nobody is signed in beforehand.
 */
export function addInvitePages(router: Router, place: Place): void {
  const visits = new Map<string, Visit>();
  const visitOf = (ctx: Context) => visits.get(ctx.cookies.get(COOKIE) ?? '');

  router.get('/invites/:inviteId', async (ctx) => {
    const { inviteId = '' } = ctx.params;
    const token = visitOf(ctx)?.token;
    if (token === undefined) return sendPage(ctx, 'You are invited', signInForm(inviteId));
    const profile = Profile.parse(await callApi({ api: place.api, token }, 'GET', '/auth/me'));
    sendPage(ctx, 'You are invited', decisionForm(inviteId, profile));
  });

  router.post('/invites/:inviteId/sign-in', async (ctx) => {
    const { inviteId = '' } = ctx.params;
    const { url, ...signIn } = await beginSignIn(place.issuer, `${place.url}/callback`);
    const key = randomBytes(16).toString('hex');
    visits.set(key, { inviteId, ...signIn });
    ctx.cookies.set(COOKIE, key, { maxAge: KEPT_MS, sameSite: 'lax' });
    seeOther(ctx, url);
  });

  router.get('/callback', async (ctx) => {
    const visit = visitOf(ctx);
    const { code, state } = ctx.query;
    if (visit === undefined || typeof code !== 'string' || state !== visit.state) {
      ctx.status = 400;
      return sendPage(ctx, 'Not signed in', html`<p>Open the link of the mail again.</p>`);
    }
    const redirectUri = `${place.url}/callback`;
    const { issuer } = place;
    visit.token = await redeemCode({ issuer, code, verifier: visit.verifier, redirectUri });
    ctx.redirect(`/invites/${visit.inviteId}`);
  });

  for (const decision of ['accept', 'decline']) {
    router.post(`/invites/:inviteId/${decision}`, async (ctx) => {
      const { inviteId } = ctx.params;
      const token = visitOf(ctx)?.token;
      if (token !== undefined) {
        await callApi({ api: place.api, token }, 'POST', `/auth/invites/${inviteId}/${decision}`);
      }
      seeOther(ctx, `/invites/${inviteId}`);
    });
  }
}

function seeOther(ctx: Context, url: string): void {
  ctx.status = 303;
  ctx.redirect(url);
}

function signInForm(inviteId: string): Html {
  return html`<p>Sign in with the e-mail address that the invite was sent to.</p>
<form method="post" action="/invites/${inviteId}/sign-in"><button>Sign in</button></form>`;
}

function decisionForm(inviteId: string, profile: z.infer<typeof Profile>): Html {
  const { email, role, pendingInvites } = profile;
  const invite = pendingInvites.find((pending) => pending.inviteId === inviteId);
  const who = html`<p>You are signed in as ${email} (${role}).</p>`;
  const again = html`<form method="post" action="/invites/${inviteId}/sign-in">
<button>Sign in as somebody else</button></form>`;
  if (invite === undefined) {
    return html`${who}<p>There is nothing for you to decide about this invite.</p>${again}`;
  }
  return html`${who}<p>${invite.tenantName} invites you to work at its till.</p>
<form method="post" action="/invites/${inviteId}/accept"><button>Accept</button></form>
<form method="post" action="/invites/${inviteId}/decline"><button>Decline</button></form>
${again}`;
}
