import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import PostalMime from 'postal-mime';
import { asSuperuser } from '../support/database/test-database.ts';
import { textOfRuns } from '../support/temporal/test-temporal.ts';
import type { Output } from './leak-scan.ts';

/** Everything that processes wrote to their logs, whose folder is `logs` in theirs. */
export async function logsIn(dir: string): Promise<Output[]> {
  const folder = join(dir, 'logs');
  const names = await readdir(folder);
  return Promise.all(
    names.map(async (name) => ({
      name: `log ${name}`,
      text: await readFile(join(folder, name), 'utf8'),
    })),
  );
}

/** Everything that Temporal keeps of a namespace: its runs, and the Schedules that start them. */
export async function runsIn(client: Client): Promise<{ runs: number; outputs: Output[] }> {
  const { runs, text } = await textOfRuns(client);
  const schedules: string[] = [];
  for await (const { scheduleId } of client.schedule.list()) {
    const { raw: _, ...described } = await client.schedule.getHandle(scheduleId).describe();
    schedules.push(scheduleId, JSON.stringify(described));
  }
  const outputs = [
    { name: 'histories', text },
    { name: 'schedules', text: schedules.join('\n') },
  ];
  return { runs, outputs };
}

/** What a process serves for Prometheus. */
export async function metricsAt(name: string, url: string): Promise<Output> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return { name: `metrics of ${name}`, text: await response.text() };
}

/** A mail as it was sent and as it is read: encoded lines would split what is in them. */
export async function mailOutput(
  raw: Buffer,
  recipient: string,
  mayHold: readonly string[],
): Promise<Output> {
  const { subject, text, html } = await PostalMime.parse(raw);
  const read = [subject, text, html].join('\n');
  return {
    name: `mail to ${recipient}`,
    text: `${raw.toString('utf8')}\n${read}`,
    mayHold: [recipient, ...mayHold],
  };
}

/** The log of the tests' Postgres server, of every database. */
export async function postgresLog(): Promise<Output> {
  let text = '';
  await asSuperuser(async (db) => {
    const { rows } = await db.raw<{ rows: { dataDirectory: string }[] }>('show data_directory');
    text = await readFile(`${rows[0]?.dataDirectory}.log`, 'utf8');
  });
  return { name: "Postgres's log", text };
}
