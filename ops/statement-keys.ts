import { ConfigSchema } from '../config.ts';
import { statementKeysFor } from '../gateways/crypto/statement-keys.ts';
import { type Command, describeTable, requireNoArguments } from './command.ts';

export const statementKeys: Command = {
  usage: 'statement-keys',
  summary: 'Prints the public keys that verify statements about the ledger, the current one first',
  async run({ args, settings }) {
    requireNoArguments(args);
    const names = { ENCRYPTION_KEY: true, STATEMENT_SIGNING_KEY: true } as const;
    const config = settings(ConfigSchema.pick({ ...names, STATEMENT_PUBLIC_KEYS: true }));
    const { known, current } = statementKeysFor({
      encryptionKeys: config.ENCRYPTION_KEY,
      signingKeys: config.STATEMENT_SIGNING_KEY,
      publicKeys: config.STATEMENT_PUBLIC_KEYS,
    });
    const data = known.map((key) => ({ ...key, isCurrent: key.keyId === current.keyId }));
    const rows = data.map(({ keyId, publicKey, isCurrent }) => {
      return [keyId, publicKey, isCurrent ? 'signs' : 'verifies'];
    });
    return { data, text: describeTable(['KEY', 'PUBLIC KEY', 'USE'], rows) };
  },
};
