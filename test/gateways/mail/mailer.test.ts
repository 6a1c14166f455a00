import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMailer, type Mail, MailError, type Mailer } from '../../../gateways/mail/mailer.ts';
import { type MailSink, startMailSink } from '../../../sandbox/mail/sink.ts';

const FROM = 'Loyalty <loyalty@loyalty.example>';
const mail: Mail = {
  to: 'ada@example.com',
  subject: 'Grüße from the Café',
  text: 'Two lines,\nand “quotes”.\n',
  html: '<p>Two lines,<br>and “quotes”.</p>\n',
  messageId: 'invite.7',
};

const cleanUps: (() => Promise<unknown>)[] = [];
const onCleanUp = (work: () => Promise<unknown>) => cleanUps.unshift(work);
afterEach(async () => {
  for (const work of cleanUps.splice(0)) await work();
});

function mailerAt(url: string): Mailer {
  const mailer = createMailer({ url, from: FROM });
  onCleanUp(() => mailer.close());
  return mailer;
}

async function failure(work: Promise<unknown>): Promise<MailError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof MailError) return error;
  throw new Error('Expected a MailError.', { cause: error });
}

function portOf(server: { address(): unknown }): number {
  const address = server.address();
  if (typeof address === 'object' && address !== null && 'port' in address) {
    return Number(address.port);
  }
  throw new Error('no TCP port');
}

describe('send, to the mail sink', () => {
  let sink: MailSink;
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'mailer-'));
    sink = await startMailSink({ port: 0, webPort: 0, dir });
    onCleanUp(async () => {
      await sink.stop();
      await rm(dir, { recursive: true });
    });
  });

  async function sourceOf(id: string | undefined): Promise<string> {
    return (await fetch(`${sink.webUrl}/mails/${id}/source`)).text();
  }

  it('submits a mail unchanged', async () => {
    await mailerAt(sink.smtpUrl).send(mail);
    expect(sink.mails()).toMatchObject([
      {
        sender: 'loyalty@loyalty.example',
        from: FROM,
        recipients: ['ada@example.com'],
        to: ['ada@example.com'],
        subject: mail.subject,
      },
    ]);
    const [sent] = sink.mails();
    // Their last line ends where the part does.
    expect([sent?.text.trimEnd(), sent?.html?.trimEnd()]).toEqual([
      mail.text.trimEnd(),
      mail.html.trimEnd(),
    ]);
    expect(await sourceOf(sent?.id)).toMatch(/^Content-Type: multipart\/alternative;/m);
  });

  it('gives a mail that is sent twice the same Message-ID', async () => {
    const mailer = mailerAt(sink.smtpUrl);
    await mailer.send(mail);
    await mailer.send(mail);
    const sources = await Promise.all(sink.mails().map(({ id }) => sourceOf(id)));
    expect(sources).toHaveLength(2);
    for (const source of sources) {
      expect(source).toMatch(/^Message-ID: <invite\.7@loyalty\.example>\r?$/m);
    }
  });

  it('tells mail programs how to have no more of a kind sent, of that kind only', async () => {
    const mailer = mailerAt(sink.smtpUrl);
    const stopUrl = 'https://api.shop.example/api/v1/notices/stop?token=points.7.abc';
    await mailer.send({ ...mail, stopUrl });
    await mailer.send(mail);
    const sources = await Promise.all(sink.mails().map(({ id }) => sourceOf(id)));
    const headers = sources.map((source) => source.replaceAll(/\r?\n[ \t]+/g, ' ')).reverse();
    expect(headers[0]).toContain(`List-Unsubscribe: <${stopUrl}>`);
    expect(headers[0]).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
    expect(headers[1]).not.toContain('List-Unsubscribe');
  });

  it('sends a hundred concurrent mails over a few connections', async () => {
    const mailer = mailerAt(sink.smtpUrl);
    const people = Array.from({ length: 100 }, (_, n) => `person-${n}@example.com`);
    await Promise.all(people.map((to) => mailer.send({ ...mail, to })));
    expect(new Set(sink.mails().flatMap(({ recipients }) => recipients))).toEqual(new Set(people));
  });

  it.each([
    ['two addresses', 'ada@example.com, eve@example.com'],
    ['a line break and a header', 'ada@example.com\r\nBcc: eve@example.com'],
    ['a group', 'friends: eve@example.com;'],
    ['an address in brackets', 'Ada <ada@example.com>'],
    ['a route', '<@relay.example:ada@example.com>'],
    ['no address', 'ada'],
    ['nothing', ''],
  ])('refuses %s permanently, and sends nothing', async (_, to) => {
    const error = await failure(mailerAt(sink.smtpUrl).send({ ...mail, to }));
    expect(error).toMatchObject({
      isTransient: false,
      message: 'The address of the recipient is not valid.',
    });
    expect(sink.mails()).toEqual([]);
  });

  it('does not let a subject inject a header', async () => {
    const subject = 'Hello\r\nBcc: eve@example.com\r\n\r\nbody';
    await mailerAt(sink.smtpUrl).send({ ...mail, subject });
    const [sent] = sink.mails();
    expect(sent?.recipients).toEqual(['ada@example.com']);
    expect(await sourceOf(sent?.id)).not.toMatch(/^Bcc:/im);
  });

  it('sends again after the server was unreachable', async () => {
    const mailer = mailerAt(sink.smtpUrl);
    await mailer.send(mail);
    const port = Number(new URL(sink.smtpUrl).port);
    await sink.stop();
    expect(await failure(mailer.send(mail))).toMatchObject({ isTransient: true });
    sink = await startMailSink({ port, webPort: 0, dir });
    await mailer.send(mail);
    expect(sink.mails()).toHaveLength(2);
  });
});

/** Starts a mail server with these options and returns its address. */
async function startSmtp(options: SMTPServerOptions): Promise<string> {
  const server = new SMTPServer({ disabledCommands: ['STARTTLS'], authOptional: true, ...options });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  server.on('error', () => {});
  onCleanUp(() => new Promise<void>((resolve) => server.close(resolve)));
  return `127.0.0.1:${portOf(listening)}`;
}

const smtpError = (responseCode: number) =>
  Object.assign(new Error('ada@example.com is unknown here'), { responseCode });

describe('send, when the server refuses', () => {
  it.each([
    { code: 550, isTransient: false, because: 'the mailbox does not exist' },
    { code: 553, isTransient: false, because: 'the address is invalid' },
    { code: 450, isTransient: true, because: 'the mailbox is busy' },
    { code: 421, isTransient: true, because: 'the server is shutting down' },
  ])('$code to the recipient: $because', async ({ code, isTransient }) => {
    const at = await startSmtp({ onRcptTo: (_, __, callback) => callback(smtpError(code)) });
    const error = await failure(mailerAt(`smtp://${at}`).send(mail));
    expect(error.isTransient).toBe(isTransient);
    expect(error.message).toMatch(new RegExp(`^The mail server answered ${code} to [A-Z ]+\\.$`));
  });

  it.each([
    { code: 554, isTransient: false },
    { code: 451, isTransient: true },
  ])('$code to the content', async ({ code, isTransient }) => {
    const at = await startSmtp({
      onData(stream, _, callback) {
        stream.resume();
        stream.on('end', () => callback(smtpError(code)));
      },
    });
    const error = await failure(mailerAt(`smtp://${at}`).send(mail));
    expect(error).toMatchObject({ isTransient });
  });

  it.each([
    ['the sender', { onMailFrom: (_: unknown, __: unknown, done) => done(smtpError(550)) }],
    ['our password', { onAuth: (_: unknown, __: unknown, done) => done(smtpError(535)) }],
  ] satisfies [string, SMTPServerOptions][])(
    'a refusal of %s is transient, because it can be corrected',
    async (_, options) => {
      const at = await startSmtp({ ...options, allowInsecureAuth: true });
      const error = await failure(mailerAt(`smtp://loyalty:s3cret-word@${at}`).send(mail));
      expect(error.isTransient).toBe(true);
    },
  );

  it('includes neither the person nor our password in the error', async () => {
    const at = await startSmtp({
      allowInsecureAuth: true,
      onAuth: (_, __, callback) => callback(null, { user: 'loyalty' }),
      onRcptTo: (_, __, callback) => callback(smtpError(550)),
    });
    const error = await failure(mailerAt(`smtp://loyalty:s3cret-word@${at}`).send(mail));
    const everything = JSON.stringify({ ...error, message: error.message, cause: error.cause });
    expect(everything).toContain('answered 550');
    for (const secret of ['ada@', 's3cret-word', mail.subject, 'unknown here']) {
      expect(everything).not.toContain(secret);
    }
  });
});

describe('send, to a server without TLS', () => {
  let seen: string[];
  let port: string;
  beforeEach(async () => {
    seen = [];
    const at = await startSmtp({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_, __, callback) => {
        seen.push('password');
        callback(null, { user: 'loyalty' });
      },
      onData: (stream, _, callback) => {
        seen.push('mail');
        stream.resume();
        stream.on('end', () => callback());
      },
    });
    port = at.replace(/^.*:/, '');
  });
  // This machine as well, but by an address that could be any other.
  const elsewhere = (query = '') => `smtp://loyalty:s3cret-word@0.0.0.0:${port}${query}`;

  it.each(['', '?requireTLS=false', '?ignoreTLS=true', '?opportunisticTLS=true', '?secure=false'])(
    'nothing is sent in clear over the network: %s',
    async (query) => {
      const error = await failure(mailerAt(elsewhere(query)).send(mail));
      expect(error).toMatchObject({ isTransient: true, message: expect.stringMatching(/TLS/) });
      expect(seen).toEqual([]);
    },
  );

  it.each([
    ['if SMTP_URL says ?insecure', () => elsewhere('?insecure')],
    ['on this machine', () => `smtp://loyalty:s3cret-word@127.0.0.1:${port}`],
    ['on this machine by its name', () => `smtp://loyalty:s3cret-word@LocalHost:${port}`],
  ])('it is sent %s', async (_, url) => {
    await mailerAt(url()).send(mail);
    expect(seen).toEqual(['password', 'mail']);
  });
});

/** Starts a server that sends one line per line received, and then calls `last`. */
async function startScript(lines: string[], last: (socket: Socket) => void): Promise<Script> {
  const heard: string[] = [];
  const server = createServer((socket) => {
    const script = [...lines];
    const sendNext = () => {
      const line = script.shift();
      if (line === undefined) last(socket);
      else socket.write(`${line}\r\n`);
    };
    socket.on('error', () => {});
    createInterface({ input: socket }).on('line', (line) => {
      const isContent = heard.lastIndexOf('DATA') > heard.lastIndexOf('.') && line !== '.';
      heard.push(line);
      if (!isContent) sendNext();
    });
    sendNext();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanUp(() => new Promise((resolve) => server.close(resolve)));
  return { url: `smtp://127.0.0.1:${portOf(server)}`, heard };
}

type Script = { url: string; heard: string[] };

const UP_TO_CONTENT = ['220 hello', '250 hello', '250 sender', '250 recipient', '354 go on'];

describe('send, when the connection fails', () => {
  it('is transient when no server listens', async () => {
    const error = await failure(mailerAt('smtp://127.0.0.1:9').send(mail));
    expect(error).toMatchObject({
      isTransient: true,
      message: expect.stringContaining('could not be reached'),
    });
  });

  it('is transient when the server disconnects, and is not retried by itself', async () => {
    const { url, heard } = await startScript(UP_TO_CONTENT, (socket) => socket.destroy());
    expect(await failure(mailerAt(url).send(mail))).toMatchObject({ isTransient: true });
    expect(heard.filter((line) => line === 'DATA')).toHaveLength(1);
  });

  it.each([
    ['says nothing', () => {}],
    ['trickles', (socket: Socket) => trickle(socket)],
  ] as const)('is transient when the server %s past the deadline', async (_, last) => {
    const { url } = await startScript(UP_TO_CONTENT, last);
    const mailer = createMailer({ url, from: FROM, sendTimeoutMs: 300 });
    onCleanUp(() => mailer.close());
    expect(await failure(mailer.send(mail))).toMatchObject({ isTransient: true });
  });
});

function trickle(socket: Socket): void {
  const timer = setInterval(() => socket.write('250-still at it\r\n'), 20);
  socket.on('close', () => clearInterval(timer));
}
