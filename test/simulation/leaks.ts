import { open, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { type Leak, type Output, scan } from '../security/leak-scan.ts';
import { secretsIn } from '../security/needles.ts';
import { mailOutput, metricsAt } from '../security/outputs.ts';
import { payloadsOf } from '../support/temporal/test-temporal.ts';
import type { Deployment, Writings } from './deployment.ts';
import { untilReached } from './until-reached.ts';

/** What was looked through, and what was found. */
export type LeakScan = { leaks: Leak[]; values: number; characters: number; outputs: string[] };

export type LeakSearch = {
  /**
   * Looks for every secret and contact since the last search in all that was written since then,
   * and forgets them. `also` is looked for as well, to see where such a value is found.
   */
  search(also?: readonly string[]): Promise<LeakScan>;
};

/** Of histories, so many characters are looked through at once. */
const CHUNK = 4_000_000;
const RUNS_AT_ONCE = 8;

/** Prepares to look for secrets in what a deployment writes from now on. */
export function createLeakSearch({ writings, secrets }: Deployment): LeakSearch {
  const readers = writings.logs.map(createLogReader);
  const mailsRead = new Set<string>();
  let since = new Date(0);
  return {
    async search(also = []) {
      const startedAt = new Date();
      const needles = [
        ...secrets.needles(),
        ...secretsIn(writings.env),
        ...also.map((value) => ({ kind: ALSO, value })),
      ];
      const found: LeakScan = { leaks: [], values: needles.length, characters: 0, outputs: [] };
      const look = (output: Output) => {
        found.characters += output.text.length;
        const leaks = scan({ needles, outputs: [output] });
        found.leaks.push(...leaks.filter(({ kind }) => kind !== ALSO));
        if (leaks.some(({ kind }) => kind === ALSO)) found.outputs.push(output.name);
      };
      for (const read of readers) look(await read());
      for (const each of writings.metrics) look(await metricsOf(each));
      for (const mail of await newMails(writings, mailsRead, secrets.allowedTo)) look(mail);
      for await (const output of runsSince(writings, since)) look(output);
      secrets.forget();
      since = startedAt;
      return found;
    },
  };
}

const ALSO = 'also';

/** Reads what was added to a log since it was last read. */
function createLogReader(path: string): () => Promise<Output> {
  let last: Part = { inode: undefined, end: 0, text: '' };
  return async () => {
    // A log that has become too long is put aside when its process is started again.
    const aside = await readPart(`${path}.old`, last);
    const part = await readPart(path, last);
    const rest = last.inode !== undefined && aside.inode === last.inode ? aside.text : '';
    last = { ...part, text: '' };
    return { name: `log ${basename(path)}`, text: rest + part.text };
  };
}

type Part = { inode: number | undefined; end: number; text: string };

/** Reads the whole lines of a file: those after the end of `last`, if that is the same file. */
async function readPart(path: string, last: Part): Promise<Part> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return { inode: undefined, end: 0, text: '' };
  try {
    const { ino: inode, size } = await file.stat();
    const from = inode === last.inode ? last.end : 0;
    const buffer = Buffer.alloc(size - from);
    await file.read(buffer, 0, buffer.length, from);
    const whole = buffer.subarray(0, buffer.lastIndexOf('\n') + 1);
    return { inode, end: from + whole.length, text: whole.toString() };
  } finally {
    await file.close();
  }
}

function metricsOf({ name, url }: Writings['metrics'][number]): Promise<Output> {
  return untilReached(() => metricsAt(name, url));
}

const ENVELOPE = /^X-Envelope-To: (\S+)$/m;

/** The mails that have arrived since: each may hold what belongs to its recipient only. */
async function newMails(
  { mails }: Writings,
  read: Set<string>,
  allowedTo: (address: string) => string[],
): Promise<Output[]> {
  const names = (await readdir(mails)).filter((name) => name.endsWith('.eml'));
  const outputs: Output[] = [];
  for (const name of names.filter((each) => !read.has(each))) {
    read.add(name);
    // Of many mails, the sink removes the oldest ones.
    const raw = await readFile(join(mails, name)).catch(() => undefined);
    if (raw === undefined) continue;
    const recipient = ENVELOPE.exec(raw.toString().replaceAll('\r', ''))?.[1] ?? '';
    outputs.push(await mailOutput(raw, recipient, allowedTo(recipient)));
  }
  for (const name of read) if (!names.includes(name)) read.delete(name);
  return outputs;
}

/** Everything about the runs that have begun since, with payloads decoded, in large parts. */
async function* runsSince({ temporal }: Writings, since: Date): AsyncGenerator<Output> {
  const { address, namespace } = temporal;
  const connection = await untilReached(() => Connection.connect({ address }));
  try {
    const client = new Client({ connection, namespace });
    const query = `StartTime >= "${since.toISOString()}"`;
    let texts: string[] = [];
    let length = 0;
    let group: Promise<string>[] = [];
    const readGroup = async () => {
      for (const text of await Promise.all(group.splice(0))) {
        texts.push(text);
        length += text.length;
      }
    };
    for await (const { workflowId, runId, memo, ...run } of client.workflow.list({ query })) {
      const attributes = run.typedSearchAttributes.getAll();
      const about = JSON.stringify({ workflowId, memo, attributes });
      group.push(historyOf(client, workflowId, runId).then((history) => `${about}\n${history}`));
      if (group.length < RUNS_AT_ONCE) continue;
      await readGroup();
      if (length < CHUNK) continue;
      yield { name: 'histories', text: texts.join('\n') };
      [texts, length, group] = [[], 0, []];
    }
    await readGroup();
    yield { name: 'histories', text: texts.join('\n') };
  } finally {
    await connection.close();
  }
}

async function historyOf(client: Client, workflowId: string, runId: string): Promise<string> {
  const handle = client.workflow.getHandle(workflowId, runId);
  const history = historyToJSON(await untilReached(() => handle.fetchHistory()));
  return `${history}\n${payloadsOf(history)}`;
}
