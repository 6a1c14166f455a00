/**
 * Returns the environment without every name by which Temporal's own programs and libraries find a
 * cluster: what is started here must not join one that the shell happens to point to.
 */
export function withoutTemporal(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('TEMPORAL_'));
  return Object.fromEntries(others);
}
