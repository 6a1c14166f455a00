import { readFile } from 'node:fs/promises';
import * as auditLog from '../db/audit-log.ts';
import type { Tx } from '../db/connection.ts';
import * as programmes from '../db/tenants/programme.ts';
import { TenantId } from '../domain/ids.ts';
import { ProgrammeInput } from '../domain/programme.ts';
import { type Command, parseId, requireNoArguments, timeOver, UsageError } from './command.ts';
import { requireSandbox } from './sandbox-only.ts';

export const publishProgramme: Command = {
  usage: 'publish-programme TENANT FILE --at TIME',
  options: ['at'],
  summary: 'Publishes the programme in a file of JSON as of a time that is over, in a sandbox',
  async run(call) {
    const [tenant, file, ...others] = call.args;
    if (tenant === undefined) throw new UsageError('TENANT is missing.');
    if (file === undefined) throw new UsageError('FILE is missing.');
    requireNoArguments(others);
    const tenantId = parseId(TenantId, tenant, 'TENANT');
    const at = timeOver('--at', call.options.at);
    requireSandbox(call);
    const body = await read(file);
    const acting = auditLog.byOps(call.operator);
    const { version, publishedAt } = await call.db.transaction(async (tx) => {
      const published = await programmes.publish(tx, { tenantId, body, acting }, at);
      if (published.publishedAt.getTime() !== at.getTime()) throw await tooEarly(tx, tenantId);
      return published;
    });
    const since = publishedAt.toISOString();
    return {
      data: { version, publishedAt: since },
      text: `Version ${version} of the programme governs since ${since}.\n`,
    };
  },
};

async function read(file: string): Promise<ProgrammeInput> {
  const text = await readFile(file, 'utf8');
  const { data, error } = ProgrammeInput.strict().safeParse(JSON.parse(text));
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new UsageError(`${file} is no programme: ${issue?.path.join('.')} ${issue?.message}.`);
}

async function tooEarly(tx: Tx, tenantId: TenantId): Promise<Error> {
  const [, before] = await programmes.list(tx, tenantId, { limit: 2 });
  return new Error(
    `The version before is of ${before?.publishedAt.toISOString()}: --at a later time.`,
  );
}
