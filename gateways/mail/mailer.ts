import { createTransport } from 'nodemailer';
import { z } from 'zod';
import { mailAddress } from '../../domain/mail-address.ts';

/** A mail in plain text to one person. */
export type Mail = {
  to: string;
  subject: string;
  text: string;
  /** What this mail is, whenever it is sent: a second one of the same id is recognised as that. */
  messageId: string;
};

export type Mailer = {
  /** Hands a mail to the mail server. Throws MailError. */
  send(mail: Mail): Promise<void>;
  /** Ends the connections once what is under way is sent. */
  close(): Promise<void>;
};

/** What the mail server says is not repeated: it names the person who was written to. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** Whether the same mail may get through later. */
  readonly isTransient: boolean;

  constructor(message: string, isTransient: boolean) {
    super(message);
    this.isTransient = isTransient;
  }
}

const CONNECTIONS = 5;
const CONNECT_TIMEOUT_MS = 5_000;
const SILENCE_TIMEOUT_MS = 10_000;
/** For a whole mail: a server that answers drop by drop is never silent. */
const SEND_TIMEOUT_MS = 30_000;

/** Sends over SMTP, at `url`, from the address `from`. Connections are kept and used again. */
export function createMailer(options: {
  url: string;
  from: string;
  sendTimeoutMs?: number;
}): Mailer {
  const { url, from, sendTimeoutMs = SEND_TIMEOUT_MS } = options;
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS,
    // Who is to try again, and when, is the caller's to say.
    maxRequeues: 0,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const host = from.replace(/^.*@|>\s*$/g, '');

  return {
    async send({ to, subject, text, messageId }) {
      const content = { from, to: addressOf(to), subject, text };
      const signal = AbortSignal.timeout(sendTimeoutMs);
      try {
        await transport.sendMail({ ...content, messageId: headerOf(messageId, host), signal });
      } catch (error) {
        throw failureOf(error);
      }
    },
    async close() {
      transport.close();
    },
  };
}

const INVALID = 'The address of the recipient is not valid.';

/** An object, never text: in a text, a comma or a line break would be another recipient. */
function addressOf(to: string): { name: string; address: string } {
  const address = mailAddress(to);
  if (address === null) throw new MailError(INVALID, false);
  return { name: '', address };
}

function headerOf(messageId: string, host: string): string {
  const id = messageId.replace(/^<|>$/g, '');
  return `<${id.includes('@') ? id : `${id}@${host}`}>`;
}

const SmtpFailure = z.object({
  responseCode: z.number().optional(),
  command: z.string().optional(),
  code: z.string().optional(),
});

/** A mail server refuses a person or a mail at these commands, and at the others only us. */
const ABOUT_THE_MAIL = ['RCPT TO', 'DATA'];

function failureOf(error: unknown): MailError {
  const { responseCode, command = '', code } = SmtpFailure.safeParse(error).data ?? {};
  // Raised before a server was asked.
  if (code === 'EENVELOPE' && responseCode === undefined) return new MailError(INVALID, false);
  if (responseCode === undefined) {
    return new MailError(`The mail server could not be reached (${code ?? 'no reason'}).`, true);
  }
  const isRefused = responseCode >= 500 && ABOUT_THE_MAIL.includes(command);
  return new MailError(`The mail server answered ${responseCode} to ${command}.`, !isRefused);
}
