import type { TestModule, TestProject } from 'vitest/node';

/**
 * Ends the run with a line for each file of which tests were skipped because the machine lacks
 * something. With `CI` set, the run has failed then.
 */
export function setup({ vitest }: TestProject): () => void {
  return () => {
    const lines = vitest.state.getTestModules().flatMap(linesOf);
    for (const line of lines) process.stdout.write(`${line}\n`);
    if (lines.length === 0 || !process.env.CI) return;
    process.stdout.write('CI is set: nothing may be skipped for want of a program.\n');
    process.exitCode = 1;
  };
}

function linesOf(file: TestModule): string[] {
  const counts = new Map<string, number>();
  for (const test of file.children.allTests('skipped')) {
    const { missing } = test.meta();
    if (missing !== undefined) counts.set(missing, (counts.get(missing) ?? 0) + 1);
  }
  return [...counts].map(([missing, count]) => {
    const tests = count === 1 ? 'test of' : 'tests of';
    const verb = count === 1 ? 'needs' : 'need';
    return `Skipped: ${count} ${tests} ${file.relativeModuleId} ${verb} ${missing}`;
  });
}
