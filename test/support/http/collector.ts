import { buffer } from 'node:stream/consumers';
import protobuf from 'protobufjs';
import { z } from 'zod';
import { listenOnLoopback } from '../../../sandbox/processes/listen.ts';

// The part of OTLP that spans are in (opentelemetry-proto, trace/v1 and common/v1).
const SCHEMA = `syntax = "proto3";
message Request { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeSpans { repeated Span spans = 2; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5;
  int32 kind = 6; fixed64 start = 7; fixed64 end = 8; repeated KeyValue attributes = 9;
  repeated Link links = 13; Status status = 15;
}
message Link { bytes trace_id = 1; bytes span_id = 2; }
message Status { int32 code = 3; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue {
  oneof value {
    string text = 1; bool flag = 2; int64 number = 3; double real = 4; ArrayValue list = 5;
  }
}
message ArrayValue { repeated AnyValue values = 1; }`;
const Request = protobuf.parse(SCHEMA, { keepCase: true }).root.lookupType('Request');

const hex = z.instanceof(Uint8Array).transform((bytes) => Buffer.from(bytes).toString('hex'));
const Attributes = z
  .array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }))
  .default([])
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, simple(value)])));
const Span = z.object({
  trace_id: hex,
  span_id: hex,
  parent_span_id: hex.optional(),
  name: z.string(),
  start: z.string(),
  attributes: Attributes,
  links: z.array(z.object({ trace_id: hex })).default([]),
  status: z.object({ code: z.number().default(0) }).default({ code: 0 }),
});
const Sent = z.object({
  resource_spans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scope_spans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
});

/** A span as it was received, with the service that sent it. */
export type ReceivedSpan = z.infer<typeof Span> & { service: unknown };

/** Starts what traces are sent to by OTLP over HTTP. */
export async function startCollector() {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const listener = await listenOnLoopback(0);
  listener.answerWith(async (request, response) => {
    const body = await buffer(request);
    bodies.push(body);
    const decoded = Request.toObject(Request.decode(body), { longs: String });
    for (const { resource, scope_spans } of Sent.parse(decoded).resource_spans) {
      const service = resource.attributes['service.name'];
      spans.push(
        ...scope_spans.flatMap((each) => each.spans).map((span) => ({ ...span, service })),
      );
    }
    response.end();
  });
  return {
    url: listener.url,
    spans,
    /** All that was received, as text: what must not be in it can be looked for. */
    text: () => Buffer.concat(bodies).toString('latin1'),
    close: listener.stop,
  };
}

/** Renders the spans of a trace as a tree, in the order in which they began. */
export function renderTrace(spans: readonly ReceivedSpan[]): string[] {
  const ids = new Set(spans.map((span) => span.span_id));
  const inOrder = [...spans].sort((a, b) => (BigInt(a.start) < BigInt(b.start) ? -1 : 1));
  const below = (parent: string | undefined, depth: number): string[] =>
    inOrder
      .filter(({ parent_span_id: id = '' }) => (ids.has(id) ? id : undefined) === parent)
      .flatMap((span) => [
        `${'  '.repeat(depth)}${span.name} (${span.service})`,
        ...below(span.span_id, depth + 1),
      ]);
  return below(undefined, 0);
}

function simple({ text, flag, number, real, list }: Record<string, unknown>): unknown {
  if (list === undefined) return text ?? flag ?? number ?? real;
  const { values } = z
    .object({ values: z.array(z.record(z.string(), z.unknown())).default([]) })
    .parse(list);
  return values.map(simple);
}
