import { loadOrExit, loadWorkerConfig } from '../config.ts';
import { type Command, describeTable, requireNoArguments } from './command.ts';

export const statementKeys: Command = {
  usage: 'statement-keys',
  summary: 'Prints the public keys that verify statements about the ledger, the current one first',
  async run({ args }) {
    requireNoArguments(args);
    const config = loadOrExit(loadWorkerConfig);
    // Imported here, because it loads all gateways, which no other command needs.
    const { statementKeysFrom } = await import('../wiring.ts');
    const { known, current } = statementKeysFrom(config);
    const data = known.map((key) => ({ ...key, isCurrent: key.keyId === current.keyId }));
    const rows = data.map(({ keyId, publicKey, isCurrent }) => {
      return [keyId, publicKey, isCurrent ? 'signs' : 'verifies'];
    });
    return { data, text: describeTable(['KEY', 'PUBLIC KEY', 'USE'], rows) };
  },
};
