import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';

/** A mail as it came; one that is sent again has the same id. */
export type Letter = { id: string; to: string; text: string };

export type PostOffice = {
  /** Everything that has come to addresses in which this occurs, the oldest first. */
  lettersTo(part: string): Promise<Letter[]>;
};

/** A long header goes on in the next line. */
const MESSAGE_ID = /^Message-ID:\s*<([^@>]+)@/im;
const RECIPIENT = /^X-Envelope-To: (\S+)$/im;

/**
 * Keeps the mails of a folder, from which the oldest are removed: it has to be asked now and then,
 * whoever they are for.
 */
export function openPostOffice(folder: string): PostOffice {
  const letters = new Map<string, Letter>();
  return {
    async lettersTo(part) {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort();
      for (const name of names.filter((each) => !letters.has(each))) {
        const raw = await readFile(join(folder, name), 'utf8').catch(() => undefined);
        if (raw !== undefined) letters.set(name, await letterOf(raw));
      }
      return [...letters.values()].filter(({ to }) => to.includes(part));
    },
  };
}

async function letterOf(raw: string): Promise<Letter> {
  const head = raw.replaceAll('\r', '');
  const id = MESSAGE_ID.exec(head)?.[1] ?? '';
  // Only of codes it matters what is in them.
  const text = id.startsWith('redemption-code') ? ((await PostalMime.parse(raw)).text ?? '') : '';
  return { id, to: RECIPIENT.exec(head)?.[1] ?? '', text };
}
