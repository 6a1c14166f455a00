import { z } from 'zod';
import { listening, messageFrom, startProgram } from './programs.ts';
import type { Testbed } from './testbed.ts';

/** What the receiver is told before events are written. */
export const ReceiverCommand = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('begin'),
    /** The secret of the endpoint at each path. */
    secrets: z.record(z.string(), z.string()),
    /** Paths at which it accepts a request and never answers. */
    hanging: z.array(z.string()),
  }),
  z.object({ kind: z.literal('report') }),
]);

/** What it has received since. */
export const Arrivals = z.object({
  /** When each event arrived first at each path, as of `machineMs`, by path and event. */
  first: z.record(z.string(), z.record(z.string(), z.number())),
  /** Requests with an event that the path had taken before. */
  repeated: z.int(),
  /** Signatures that the standard's own library has checked, and those that it refused. */
  checked: z.int(),
  refused: z.int(),
});
export type Arrivals = z.infer<typeof Arrivals>;

export type DeliveryReceiver = {
  url: string;
  begin(secrets: ReadonlyMap<string, string>, hanging: readonly string[]): Promise<void>;
  report(): Promise<Arrivals>;
};

/** Starts the process that receives events, apart from the worker that sends them. */
export async function startReceiver(testbed: Testbed, port: number): Promise<DeliveryReceiver> {
  const file = new URL('./delivery-receiver-main.ts', import.meta.url);
  const program = startProgram(testbed, file, { name: 'receiver', args: [String(port)] });
  await listening(program, port);
  const ask = async (command: z.input<typeof ReceiverCommand>) => {
    const reply = messageFrom(program);
    program.child.send(command);
    return reply;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    async begin(secrets, hanging) {
      await ask({ kind: 'begin', secrets: Object.fromEntries(secrets), hanging: [...hanging] });
    },
    report: async () => Arrivals.parse(await ask({ kind: 'report' })),
  };
}
