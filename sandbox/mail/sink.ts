import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { listenOnLoopback } from '../processes/listen.ts';
import { type Mail, openMailbox } from './mailbox.ts';
import { createMailPages } from './pages.ts';

const MAX_MAIL_BYTES = 10 * 1024 * 1024;
const CLOSE_TIMEOUT_MS = 1000;

type Options = { port: number; webPort: number; dir: string };

export type MailSink = {
  smtpUrl: string;
  webUrl: string;
  /** The mails kept, newest first. */
  mails(): Mail[];
  stop(): Promise<void>;
};

/**
 * Starts an SMTP server on 127.0.0.1 that sends no mail on, and a page to read what it keeps.
 *
 * A mail is accepted only after it is on disk under `dir`; the newest 500 are
 * kept there, and found again by the next start.
 */
export async function startMailSink({ port, webPort, dir }: Options): Promise<MailSink> {
  const mailbox = await openMailbox(dir);
  const smtp = new SMTPServer({
    // Its built-in certificate is self-signed: a client that tried TLS would refuse it.
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    size: MAX_MAIL_BYTES,
    closeTimeout: CLOSE_TIMEOUT_MS,
    onData: (stream, session, callback) => {
      receive(stream, session).then(() => callback(null), callback);
    },
  });

  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession) {
    const raw = await buffer(stream);
    if (stream.sizeExceeded)
      throw new TooLarge(`The sandbox takes ${MAX_MAIL_BYTES} bytes a mail.`);
    const { mailFrom, rcptTo } = session.envelope;
    await mailbox.keep(raw, {
      from: mailFrom === false ? '' : mailFrom.address,
      to: rcptTo.map(({ address }) => address),
    });
  }

  const web = await listenOnLoopback(webPort);
  web.answerWith(createMailPages(mailbox).callback());
  const smtpPort = await listenSmtp(smtp, port).catch(async (error) => {
    await web.stop();
    throw error;
  });
  // A client that breaks off is its own affair.
  smtp.on('error', () => undefined);

  return {
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    webUrl: web.url,
    mails: () => mailbox.mails(),
    async stop() {
      await Promise.all([new Promise<void>((resolve) => smtp.close(resolve)), web.stop()]);
    },
  };
}

class TooLarge extends Error {
  readonly responseCode = 552;
}

async function listenSmtp(smtp: SMTPServer, port: number): Promise<number> {
  const server = smtp.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The mail sink has no port.');
  return address.port;
}
