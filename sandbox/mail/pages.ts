import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { facts, type Html, html, sendPage, table } from '../html.ts';
import type { Mail, Mailbox } from './mailbox.ts';

/** Serves the mail sink's pages: the list, each mail and its source, and all mails as JSON. */
export function createMailPages(mailbox: Mailbox): Koa {
  const router = new Router();
  router.get('/', (ctx) => showList(ctx, mailbox.mails()));
  router.get('/mails.json', (ctx) => {
    ctx.body = mailbox.mails();
  });
  // These pages may show pictures of this machine, so that browsers ask for this one, too.
  router.get('/favicon.ico', (ctx) => {
    ctx.status = 204;
  });
  router.get('/mails/:id', (ctx) => showMail(ctx, mailbox, ctx.params.id));
  router.get('/mails/:id/source', (ctx) => showSource(ctx, mailbox, ctx.params.id));

  const app = new Koa();
  app.use(router.routes());
  return app;
}

function showList(ctx: Context, mails: readonly Mail[]): void {
  const rows = mails.map((mail) => [
    mail.receivedAt,
    mail.recipients.join(', '),
    html`<a href="/mails/${mail.id}">${mail.subject || '(no subject)'}</a>`,
  ]);
  sendPage(
    ctx,
    'Mails of the sandbox',
    html`<p>${mails.length} stored, newest first; none was forwarded.
<a href="/mails.json">All as JSON</a></p>
${table(['Received', 'For', 'Subject'], rows)}`,
  );
}

function showMail(ctx: Context, mailbox: Mailbox, id: string | undefined): void {
  const mail = mailbox.mails().find((kept) => kept.id === id);
  if (mail === undefined) ctx.throw(404, 'There is no such mail.');
  sendPage(
    ctx,
    mail.subject || '(no subject)',
    html`<p><a href="/">All mails</a> · <a href="/mails/${mail.id}/source">Source</a></p>
${facts([
  ['Received', mail.receivedAt],
  ['From', mail.from],
  ['To', mail.to.join(', ')],
  ['Delivered to', mail.recipients.join(', ')],
])}
${mail.html === undefined ? undefined : pictured(mail.html)}
<h2>As plain text</h2>
<pre>${mail.text}</pre>`,
    { pictures: true },
  );
}

function pictured(markup: string): Html {
  return html`<iframe sandbox title="The mail as it is shown" srcdoc="${markup}"></iframe>`;
}

function showSource(ctx: Context, mailbox: Mailbox, id: string | undefined): void {
  const source = mailbox.source(id ?? '');
  if (source === undefined) ctx.throw(404, 'There is no such mail.');
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.type = 'text/plain';
  ctx.body = source;
}
