import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime, { type Address } from 'postal-mime';
import { writeAtomically } from '../write-atomically.ts';

const MAX_MAILS = 500;
const FILE_NAME = /^(\d{13}-\d{6}-[0-9a-f]{8})\.eml$/;

/** A received mail; `recipients` are those of the envelope, including hidden ones. */
export type Mail = {
  id: string;
  receivedAt: string;
  sender: string;
  recipients: string[];
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string | undefined;
};

type Envelope = { from: string; to: readonly string[] };

export type Mailbox = {
  /** Stores a mail on disk and drops the oldest ones above 500. */
  keep(raw: Uint8Array, envelope: Envelope): Promise<Mail>;
  /** Returns the stored mails, newest first. */
  mails(): Mail[];
  /** Returns the received mail, after the envelope's headers; undefined when it is not stored. */
  source(id: string): Buffer | undefined;
};

/** Opens the folder of .eml files with the mails of earlier starts; creates it if missing. */
export async function openMailbox(dir: string): Promise<Mailbox> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const fileOf = (id: string) => join(dir, `${id}.eml`);
  const oldestFirst: Mail[] = [];
  for (const name of readdirSync(dir).sort()) {
    const id = FILE_NAME.exec(name)?.[1];
    if (id !== undefined) oldestFirst.push(await readMail(id, readFileSync(fileOf(id))));
  }
  let count = 0;
  prune();

  function prune(): void {
    for (const { id } of oldestFirst.splice(0, Math.max(0, oldestFirst.length - MAX_MAILS))) {
      rmSync(fileOf(id), { force: true });
    }
  }

  return {
    async keep(raw, envelope) {
      // The time orders mails across restarts, the count within a millisecond.
      const position = String(count++ % 1_000_000).padStart(6, '0');
      const id = `${Date.now()}-${position}-${randomBytes(4).toString('hex')}`;
      const source = Buffer.concat([Buffer.from(envelopeHeaders(envelope)), raw]);
      const mail = await readMail(id, source);
      writeAtomically(fileOf(id), source);
      oldestFirst.push(mail);
      prune();
      return mail;
    },
    mails: () => oldestFirst.toReversed(),
    source: (id) =>
      oldestFirst.some((mail) => mail.id === id) ? readFileSync(fileOf(id)) : undefined,
  };
}

/** Renders the envelope as the headers that a receiving server adds to the file. */
function envelopeHeaders({ from, to }: Envelope): string {
  return [`Return-Path: <${from}>`, ...to.map((address) => `X-Envelope-To: ${address}`), ''].join(
    '\r\n',
  );
}

async function readMail(id: string, source: Uint8Array): Promise<Mail> {
  const mail = await PostalMime.parse(source);
  return {
    id,
    receivedAt: new Date(Number(id.slice(0, 13))).toISOString(),
    sender: mail.returnPath ?? '',
    recipients: mail.headers.filter(({ key }) => key === 'x-envelope-to').map(({ value }) => value),
    from: mail.from ? addressText(mail.from) : '',
    to: (mail.to ?? []).map(addressText),
    subject: mail.subject ?? '',
    // As our texts have them; in a mail they are those of the network.
    text: (mail.text ?? '').replaceAll('\r\n', '\n'),
    html: mail.html?.replaceAll('\r\n', '\n'),
  };
}

function addressText(address: Address): string {
  if (address.group) return `${address.name}: ${address.group.map(addressText).join(', ')};`;
  return address.name === '' ? address.address : `${address.name} <${address.address}>`;
}
