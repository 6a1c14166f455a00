import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { html, sendPage } from '../html.ts';
import type { Mail, Mailbox } from './mailbox.ts';

/** Serves the mail sink's pages: the list, each mail and its source, and all mails as JSON. */
export function createMailPages(mailbox: Mailbox): Koa {
  const router = new Router();
  router.get('/', (ctx) => showList(ctx, mailbox.mails()));
  router.get('/mails.json', (ctx) => {
    ctx.body = mailbox.mails();
  });
  router.get('/mails/:id', (ctx) => showMail(ctx, mailbox, ctx.params.id));
  router.get('/mails/:id/source', (ctx) => showSource(ctx, mailbox, ctx.params.id));

  const app = new Koa();
  app.use(router.routes());
  return app;
}

function showList(ctx: Context, mails: readonly Mail[]): void {
  const rows = mails.map(
    (mail) => html`<tr><td>${mail.receivedAt}</td><td>${mail.recipients.join(', ')}</td>
<td><a href="/mails/${mail.id}">${mail.subject || '(no subject)'}</a></td></tr>`,
  );
  sendPage(
    ctx,
    'Mails of the sandbox',
    html`<p>${mails.length} stored, newest first; none was forwarded.
<a href="/mails.json">All as JSON</a></p>
<table><tr><th>Received</th><th>For</th><th>Subject</th></tr>${rows}</table>`,
  );
}

function showMail(ctx: Context, mailbox: Mailbox, id: string | undefined): void {
  const mail = mailbox.mails().find((kept) => kept.id === id);
  if (mail === undefined) ctx.throw(404, 'There is no such mail.');
  sendPage(
    ctx,
    mail.subject || '(no subject)',
    html`<p><a href="/">All mails</a> · <a href="/mails/${mail.id}/source">Source</a></p>
<table>
<tr><th>Received</th><td>${mail.receivedAt}</td></tr>
<tr><th>From</th><td>${mail.from}</td></tr>
<tr><th>To</th><td>${mail.to.join(', ')}</td></tr>
<tr><th>Delivered to</th><td>${mail.recipients.join(', ')}</td></tr>
</table>
${mail.html === undefined ? undefined : html`<iframe sandbox srcdoc="${mail.html}"></iframe>`}
<h2>As plain text</h2>
<pre>${mail.text}</pre>`,
    { pictures: true },
  );
}

function showSource(ctx: Context, mailbox: Mailbox, id: string | undefined): void {
  const source = mailbox.source(id ?? '');
  if (source === undefined) ctx.throw(404, 'There is no such mail.');
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.type = 'text/plain';
  ctx.body = source;
}
