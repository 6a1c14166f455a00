import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Catcher, titlePattern } from './patches.ts';
import { SHARED_SERVERS, type SharedServers } from './shared-servers.ts';

/** How a test ended: `missing` if no test of that title ran, say because its file does not load. */
export type Ending = 'passed' | 'failed' | 'missing';

const Results = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(z.object({ title: z.string(), status: z.string() })),
    }),
  ),
});

/**
 * Runs the files of the tests in the folder, each file once, and returns how each test ended. On
 * servers that run already if they are given, else as the configuration of the folder says.
 */
export async function runTests(
  folder: string,
  catchers: readonly Catcher[],
  servers?: SharedServers,
): Promise<Map<Catcher, Ending>> {
  const report = join(folder, 'sabotage-report.json');
  rmSync(report, { force: true });
  const files = [...new Set(catchers.map(({ file }) => file))];
  const titles = catchers.map(({ title }) => titlePattern(title).source.slice(1, -1));
  const config = servers === undefined ? [] : ['--config=test/sabotage/vitest.config.ts'];
  const child = spawn(
    process.execPath,
    [
      join(folder, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--maxWorkers=1',
      '--testTimeout=60000',
      '--reporter=json',
      `--outputFile=${report}`,
      `--testNamePattern=(${titles.join('|')})$`,
      ...config,
      ...files,
    ],
    {
      cwd: folder,
      stdio: 'ignore',
      // A test that leaves a broken ledger behind is the one that fails.
      env: { ...process.env, VERIFY: 'each', [SHARED_SERVERS]: JSON.stringify(servers ?? null) },
    },
  );
  await once(child, 'exit');
  const ran = resultsIn(report, folder);
  return new Map(
    catchers.map((catcher) => {
      const pattern = titlePattern(catcher.title);
      const its = ran.filter(({ file, title }) => file === catcher.file && pattern.test(title));
      const ending = its.some(({ status }) => status === 'failed')
        ? 'failed'
        : its.some(({ status }) => status === 'passed')
          ? 'passed'
          : 'missing';
      return [catcher, ending];
    }),
  );
}

function resultsIn(report: string, folder: string) {
  const { testResults } = Results.parse(JSON.parse(readFileSync(report, 'utf8')));
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((result) => ({ ...result, file: name.slice(folder.length + 1) })),
  );
}
