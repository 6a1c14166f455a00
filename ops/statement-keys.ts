import { loadOrExit, loadStatementSettings } from '../config.ts';
import { statementKeysFrom } from '../wiring.ts';
import { type Command, describeTable, requireNoArguments } from './command.ts';

export const statementKeys: Command = {
  usage: 'statement-keys',
  summary: 'Prints the public keys that verify statements about the ledger, the current one first',
  withoutDatabase: true,
  async run({ args }) {
    requireNoArguments(args);
    const settings = loadOrExit(loadStatementSettings);
    if (settings === undefined) {
      throw new Error('ENCRYPTION_KEY and OBJECT_STORE_URL must be set, as for the service.');
    }
    const { known, current } = statementKeysFrom(settings);
    const data = known.map((key) => ({ ...key, isCurrent: key.keyId === current.keyId }));
    const rows = data.map(({ keyId, publicKey, isCurrent }) => {
      return [keyId, publicKey, isCurrent ? 'signs' : 'verifies'];
    });
    return { data, text: describeTable(['KEY', 'PUBLIC KEY', 'USE'], rows) };
  },
};
