import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import readOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';

const RULES = fileURLToPath(new URL('../../.dependency-cruiser.cjs', import.meta.url));
/** What a workflow may take along into its bundle. */
const IN_WORKFLOWS = /^node_modules\/@temporalio\/(workflow|common)\//;

export type Imports = { modules: ICruiseResult['modules']; violations: string[] };

/** Reads every import below a folder and says which break the rules, as `rule: from -> to`. */
export async function readImports(baseDir: string): Promise<Imports> {
  const options = await readOptions(RULES);
  const { output } = await cruise(['.'], { ...options, baseDir, validate: true });
  if (typeof output === 'string')
    throw new Error('dependency-cruiser gave text in place of a result.');
  const violations = output.summary.violations.map(
    ({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`,
  );
  return { modules: output.modules, violations: [...violations, ...bundled(output.modules)] };
}

/** What workflows reach by imports that are not of types only, and must not. */
function bundled(modules: Imports['modules']): string[] {
  const bySource = new Map(modules.map((module) => [module.source, module]));
  const reached = new Set(modules.map(({ source }) => source).filter(isWorkflow));
  const violations: string[] = [];
  // A set grows while it is walked, so that everything reached is looked at once.
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
