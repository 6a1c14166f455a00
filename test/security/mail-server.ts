import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { freePort } from '../../sandbox/processes/ports.ts';

export type ReceivedMail = { recipient: string; raw: Buffer };

export type MailServer = {
  /** With a user and a password, which the server checks. */
  url: string;
  mails(): readonly ReceivedMail[];
  /** Whether it accepts recipients, or refuses them with a text that names them. */
  accept(isAccepting: boolean): void;
  stop(): Promise<void>;
  /** Starts it again, at the same address. */
  start(): Promise<void>;
};

const USER = 'mailer';
const PASSWORD = 'the password of the mail server';
const CLOSE_MS = 500;

/** Starts a mail server that keeps what it gets, can refuse it, and can go away. */
export async function startMailServer(): Promise<MailServer> {
  const port = await freePort();
  const received: ReceivedMail[] = [];
  let isAccepting = true;
  let server: SMTPServer | undefined;

  async function start(): Promise<void> {
    const smtp = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      disableReverseLookup: true,
      closeTimeout: CLOSE_MS,
      onAuth: ({ username, password }, _session, done) => {
        const isRight = username === USER && password === PASSWORD;
        done(isRight ? null : new Error('Wrong password'), { user: USER });
      },
      onRcptTo: ({ address }, _session, done) =>
        done(isAccepting ? null : Object.assign(new Error(`No ${address} here`), REFUSED)),
      onData: (stream, { envelope }, done) => {
        buffer(stream).then((raw) => {
          for (const { address } of envelope.rcptTo) received.push({ recipient: address, raw });
          done();
        }, done);
      },
    });
    // A client that disconnects is not an error of the server.
    smtp.on('error', () => undefined);
    await once(smtp.listen(port, '127.0.0.1'), 'listening');
    server = smtp;
  }

  async function stop(): Promise<void> {
    const stopping = server;
    server = undefined;
    if (stopping) await new Promise<void>((resolve) => stopping.close(() => resolve()));
  }

  await start();
  return {
    url: `smtp://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`,
    mails: () => received,
    accept: (accepting) => {
      isAccepting = accepting;
    },
    stop,
    start,
  };
}

/** The reply of a server that does not know the recipient. */
const REFUSED = { responseCode: 550 };
