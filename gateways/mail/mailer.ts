import { createTransport } from 'nodemailer';
import { z } from 'zod';
import { mailAddress } from '../../domain/mail-address.ts';
import { isLoopback } from '../../domain/safe-settings.ts';
import { composeMail } from './compose-mail.ts';
import type { RenderedMail } from './render-mail.ts';

/** A mail to one person, in plain text and in HTML. */
export type Mail = RenderedMail & {
  to: string;
  /** Identifies the mail, so that a recipient's server can recognise a duplicate. */
  messageId: string;
};

export type Mailer = {
  /** Submits a mail to the mail server. Throws MailError. */
  send(mail: Mail): Promise<void>;
  /** Closes the connections after mails in progress are sent. */
  close(): Promise<void>;
};

/** A mail that was not sent. It leaves out the server's text, which names the recipient. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** Whether sending the same mail may succeed later. */
  readonly isTransient: boolean;
  /** Whether it concerns this mail only; otherwise other mails would fail as well. */
  readonly isAboutThisMail: boolean;

  constructor(message: string, isTransient: boolean, isAboutThisMail = !isTransient) {
    super(message);
    this.isTransient = isTransient;
    this.isAboutThisMail = isAboutThisMail;
  }
}

const CONNECTIONS = 5;
const CONNECT_TIMEOUT_MS = 5_000;
const SILENCE_TIMEOUT_MS = 10_000;
/** Limits a whole mail, for a server that answers slowly but steadily. */
const SEND_TIMEOUT_MS = 30_000;

const PATIENCE = {
  connectionTimeout: CONNECT_TIMEOUT_MS,
  greetingTimeout: CONNECT_TIMEOUT_MS,
  dnsTimeout: CONNECT_TIMEOUT_MS,
  socketTimeout: SILENCE_TIMEOUT_MS,
};

/** Connects to the SMTP server at `url` and logs in, but sends no mail. Throws MailError. */
export async function checkMailServer(url: string): Promise<void> {
  const transport = createTransport({ ...transportSecurity(url), ...PATIENCE });
  try {
    await transport.verify();
  } catch (error) {
    throw toMailError(error);
  } finally {
    transport.close();
  }
}

/** Creates a mailer for the SMTP server at `url` and the sender `from`. It reuses connections. */
export function createMailer(options: {
  url: string;
  from: string;
  sendTimeoutMs?: number;
}): Mailer {
  const { url, from, sendTimeoutMs = SEND_TIMEOUT_MS } = options;
  const transport = createTransport({
    ...transportSecurity(url),
    ...PATIENCE,
    pool: true,
    maxConnections: CONNECTIONS,
    // The caller decides whether and when to retry.
    maxRequeues: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const host = from.replace(/^.*@|>\s*$/g, '');

  return {
    async send({ to, messageId: id, ...content }) {
      const messageId = toMessageId(id, host);
      const mail = composeMail({ from, to: toRecipient(to), messageId, content });
      const signal = AbortSignal.timeout(sendTimeoutMs);
      try {
        await transport.sendMail({ ...mail, signal });
      } catch (error) {
        throw toMailError(error);
      }
    },
    async close() {
      transport.close();
    },
  };
}

/** Options of the address that would allow a connection in clear. */
const TLS_OPTIONS = ['insecure', 'secure', 'requireTLS', 'ignoreTLS', 'opportunisticTLS'];

/**
 * TLS is required, or whoever sits between could strip it and read codes and our password. It is
 * optional on this machine, and where the address ends in `?insecure`.
 */
function transportSecurity(address: string): { url: string; requireTLS: boolean } {
  const url = new URL(address);
  const isInsecure = url.searchParams.has('insecure') || isLoopback(url.hostname.toLowerCase());
  for (const name of TLS_OPTIONS) url.searchParams.delete(name);
  return { url: url.href, requireTLS: url.protocol === 'smtp:' && !isInsecure };
}

const INVALID = 'The address of the recipient is not valid.';

/** The recipient as an object: in a string, a comma or a line break could add a recipient. */
function toRecipient(to: string): { name: string; address: string } {
  const address = mailAddress(to);
  if (address === null) throw new MailError(INVALID, false);
  return { name: '', address };
}

function toMessageId(messageId: string, host: string): string {
  const id = messageId.replace(/^<|>$/g, '');
  return `<${id.includes('@') ? id : `${id}@${host}`}>`;
}

const SmtpFailure = z.object({
  responseCode: z.number().optional(),
  command: z.string().optional(),
  code: z.string().optional(),
});

/** A refusal of these commands concerns the recipient or the mail; of others, our own account. */
const MAIL_COMMANDS = ['RCPT TO', 'DATA'];

function toMailError(error: unknown): MailError {
  const { responseCode, command = '', code } = SmtpFailure.safeParse(error).data ?? {};
  // Raised before a connection is made.
  if (code === 'EENVELOPE' && responseCode === undefined) return new MailError(INVALID, false);
  if (code === 'ETLS') return new MailError('The mail server offers no TLS, or a bad one.', true);
  if (responseCode === undefined) {
    return new MailError(`The mail server could not be reached (${code ?? 'no code'}).`, true);
  }
  const isAboutMail = MAIL_COMMANDS.includes(command);
  const message = `The mail server answered ${responseCode} to ${command}.`;
  return new MailError(message, !(isAboutMail && responseCode >= 500), isAboutMail);
}
