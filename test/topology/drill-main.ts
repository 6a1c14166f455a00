import { parseArgs } from 'node:util';
import { restoreDrill } from './restore-drill.ts';
import { log, startTopology } from './topology.ts';

const USAGE = `npm run drill -- restore [--json]

restore   rehearses the loss of the database on a deployment of its own: prints how long each step
          takes, and ends with status 1 if anything is missing or wrong afterwards
`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, help: { type: 'boolean' } },
});
if (positionals[0] !== 'restore' || values.help === true) {
  process.stderr.write(USAGE);
  process.exit(values.help === true ? 0 : 2);
}

const topology = await startTopology();
try {
  const drill = await restoreDrill(topology, log);
  if (values.json === true) process.stdout.write(`${JSON.stringify(drill)}\n`);
  for (const problem of drill.problems) log(problem);
  if (drill.problems.length === 0) log('The ledger is whole and complete.');
  process.exitCode = drill.problems.length === 0 ? 0 : 1;
} finally {
  await topology.close();
}
