import { type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

const TRACER = 'loyalty-points-service';

/** What the driver is asked: knex and our own statements pass an object and a callback. */
type Query = { text?: unknown; name?: unknown };
type Callback = (error: Error | null, result: unknown) => void;

/**
 * Makes each statement of a connection a span of the trace that asked for it. A statement that
 * nobody traces makes none. A span has the text with its placeholders, never the values.
 */
export function traceStatements(connection: { query(...args: never[]): unknown }): void {
  const { query } = connection;
  const ask = (args: unknown[]): unknown => Reflect.apply(query, connection, args);
  const traced = (...args: unknown[]): unknown => {
    const parent = trace.getActiveSpan();
    const callback = args.at(-1);
    if (parent === undefined || !parent.isRecording() || !isCallback(callback)) {
      return ask(args);
    }
    const span = spanOf(args[0]);
    const ended: Callback = (error, result) => {
      end(span, error);
      callback(error, result);
    };
    return ask([...args.slice(0, -1), ended]);
  };
  Object.defineProperty(connection, 'query', { value: traced });
}

function spanOf(statement: unknown): Span {
  const { text, name }: Query =
    typeof statement === 'string' ? { text: statement } : Object(statement);
  const sql = String(text).trim();
  const operation = /^[a-z]+/i.exec(sql)?.[0].toUpperCase() ?? 'SQL';
  const summary = typeof name === 'string' ? `${operation} ${name}` : operation;
  return trace.getTracer(TRACER).startSpan(summary, {
    kind: SpanKind.CLIENT,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': sql,
    },
  });
}

function end(span: Span, error: Error | null): void {
  if (error !== null && error !== undefined) {
    if ('code' in error) span.setAttribute('db.response.status_code', String(error.code));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

function isCallback(value: unknown): value is Callback {
  return typeof value === 'function';
}
