import { measureAcknowledging } from './acknowledging.ts';
import { measureCrediting } from './crediting.ts';
import { measureEndToEnd } from './end-to-end.ts';
import { measureLatency } from './latency.ts';
import { startMemory } from './memory.ts';
import type { Options } from './options.ts';
import type { Section } from './report.ts';
import { startService } from './service.ts';
import type { Stage } from './stage.ts';
import { measureWorkerKill } from './worker-kill.ts';

/**
 * Measures ingestion part by part, and prints each part's section as soon as it is there. Returns
 * them all.
 */
export async function runIntake(stage: Stage, options: Options): Promise<Section[]> {
  const sections: Section[] = [];
  const report = (section: Section) => {
    sections.push(section);
    options.print(section);
  };
  const isWanted = (part: number) => options.parts.length === 0 || options.parts.includes(part);

  if (isWanted(1)) report(await measureAcknowledging(stage, options));
  if (isWanted(2)) report(await measureCrediting(stage, options));
  if (![3, 4, 5, 6].some(isWanted)) return sections;

  const service = await startService(stage);
  const memory = startMemory(service);
  if (isWanted(3)) report(await measureEndToEnd(service, options));
  if (isWanted(4)) report(await measureLatency(service, options));
  memory.note();
  if (isWanted(5)) report(await measureWorkerKill(service, options));
  if (isWanted(6)) report(memory.section());
  return sections;
}
