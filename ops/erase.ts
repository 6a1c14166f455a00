import { erasePerson } from '../activities/erasures.ts';
import { createIngestPolicy } from '../activities/ingestion/decide/ingest-policy.ts';
import { ConfigSchema } from '../config.ts';
import * as erasures from '../db/users/erasures.ts';
import { UserId } from '../domain/ids.ts';
import { createSealer, createSubkeys } from '../gateways/crypto/sealer.ts';
import { type Command, onlyArgument, parseId } from './command.ts';
import { requireSandbox } from './sandbox-only.ts';

export const erase: Command = {
  usage: 'erase USER',
  summary: 'Begins an erasure that is scheduled now, in a sandbox, and waits until it is done',
  async run(call) {
    const { args, db, settings } = call;
    const userId = parseId(UserId, onlyArgument(args, 'USER'), 'USER');
    requireSandbox(call);
    const erasure = await erasures.find(db, userId);
    if (erasure === undefined) throw new Error('No erasure of this user is scheduled.');
    const { ENCRYPTION_KEY: ring } = settings(ConfigSchema.pick({ ENCRYPTION_KEY: true }));
    const { fingerprints } = createSealer(createSubkeys(ring, 'contact proofs'));
    const ingestPolicy = createIngestPolicy('reverse', ring);
    const deps = { db, contactProofs: fingerprints, ingestPolicy };
    const isErased = await erasePerson(deps, erasure);
    const text = isErased ? 'The user is erased.\n' : 'The erasure was withdrawn.\n';
    return { data: { userId, erased: isErased }, text, failed: !isErased };
  },
};
