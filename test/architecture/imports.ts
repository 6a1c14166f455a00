import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import readOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';

const RULES = fileURLToPath(new URL('../../.dependency-cruiser.cjs', import.meta.url));
/** The packages that a workflow bundle may contain. */
const IN_WORKFLOWS = /^node_modules\/@temporalio\/(workflow|common)\//;

export type Imports = { modules: ICruiseResult['modules']; violations: string[] };

/** Reads every import below a folder and lists those that break a rule, as `rule: from -> to`. */
export async function readImports(baseDir: string): Promise<Imports> {
  const options = await readOptions(RULES);
  const { output } = await cruise(['.'], { ...options, baseDir, validate: true });
  if (typeof output === 'string')
    throw new Error('dependency-cruiser returned text instead of a result.');
  const violations = output.summary.violations.map(
    ({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`,
  );
  return { modules: output.modules, violations: [...violations, ...bundled(output.modules)] };
}

/** Lists packages that workflows may not bundle but reach by imports that are not type-only. */
function bundled(modules: Imports['modules']): string[] {
  const bySource = new Map(modules.map((module) => [module.source, module]));
  const reached = new Set(modules.map(({ source }) => source).filter(isWorkflow));
  const violations: string[] = [];
  // The set grows during the iteration, so that each reached module is visited once.
  for (const source of reached) {
    for (const { resolved, dependencyTypes } of bySource.get(source)?.dependencies ?? []) {
      if (dependencyTypes.includes('type-only')) continue;
      if (!resolved.startsWith('node_modules/')) reached.add(resolved);
      else if (!IN_WORKFLOWS.test(resolved))
        violations.push(`workflow-bundle: ${source} -> ${resolved}`);
    }
  }
  return violations;
}

const isWorkflow = (source: string) => source.startsWith('workflows/');
