import { z } from 'zod';

const Spread = z.object({ min: z.number(), median: z.number(), max: z.number() });

/** What the charts read of a recorded report, which `npm run bench -- … --json` has printed. */
export const Report = z.object({
  format: z.literal(1),
  quick: z.boolean(),
  sections: z.array(
    z.object({
      key: z.string().optional(),
      figures: z.record(z.string(), Spread).default({}),
      bars: z.array(
        z.object({
          figure: z.string(),
          /** JSON has no NaN: what was not measured is null. */
          value: z.number().nullable(),
          atLeast: z.number().optional(),
          atMost: z.number().optional(),
        }),
      ),
    }),
  ),
  machine: z.object({ cpu: z.string(), cores: z.number(), node: z.string(), commit: z.string() }),
});
export type Report = z.infer<typeof Report>;

/** Says where and how the figures were measured. */
export function subtitleOf({ quick, machine }: Report): string {
  const { cores, cpu, node, commit } = machine;
  const how = quick ? 'One short repetition, no measurement' : 'Medians of interleaved repetitions';
  return `${how}; ${cores} × ${cpu}, Node ${node}, commit ${commit.slice(0, 7)}`;
}
