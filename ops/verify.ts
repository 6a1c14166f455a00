import { here } from './surroundings.ts';
import { runVerify } from './verify-ledger.ts';

process.exitCode = await runVerify(process.argv.slice(2), here);
