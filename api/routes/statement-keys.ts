import { z } from 'zod';
import { describeKeys, StatementPublicKey } from '../../domain/wallet-proof.ts';
import { route } from '../http/route.ts';

export const listStatementKeys = route({
  method: 'GET',
  path: '/statement-keys',
  access: 'public',
  tag: 'Proofs',
  summary: 'List the keys that sign statements about the ledger, the current one first',
  response: z.array(StatementPublicKey),
  examples: {
    response: [
      {
        keyId: '21fe31dfa154a261',
        algorithm: 'Ed25519',
        publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      },
    ],
  },

  async handle({ statementKeys }) {
    return describeKeys(statementKeys.known);
  },
});
