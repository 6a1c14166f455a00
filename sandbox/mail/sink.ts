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
  /** Returns the stored mails, newest first. */
  mails(): Mail[];
  stop(): Promise<void>;
};

/**
 * Starts an SMTP server on 127.0.0.1 that forwards no mail, and a page that shows its mails.
 *
 * A mail is accepted only once it is on disk under `dir`; the newest 500 are kept there across
 * restarts.
 */
export async function startMailSink({ port, webPort, dir }: Options): Promise<MailSink> {
  const mailbox = await openMailbox(dir);
  const smtp = new SMTPServer({
    // The built-in certificate is self-signed, so a client that tried TLS would refuse it.
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
      throw new TooLarge(`The sandbox accepts mails of up to ${MAX_MAIL_BYTES} bytes.`);
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
  // A client that disconnects is not an error of the sink.
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
