/**
 * What a process runs before anything else: its clock is ahead by so many milliseconds. It is in
 * JavaScript, because nothing that reads TypeScript is loaded at that time.
 */
const MOVED_CLOCK = `
  const { Date: Exact } = globalThis;
  const now = () => Exact.now() + Number(process.env.CLOCK_AHEAD_MS);
  const Moved = new Proxy(Exact, {
    construct: (_, parts, made) =>
      Reflect.construct(Exact, parts.length === 0 ? [now()] : parts, made === Moved ? Exact : made),
    apply: () => new Exact(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  globalThis.Date = Moved;
`;

/** The environment of a process whose clock is ahead, or behind if less than 0. */
export function clockAhead(ms: number): Record<string, string> {
  if (ms === 0) return {};
  const module = `data:text/javascript,${encodeURIComponent(MOVED_CLOCK)}`;
  return { CLOCK_AHEAD_MS: String(ms), NODE_OPTIONS: `--import ${module}` };
}
