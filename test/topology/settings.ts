/** How long the scenarios take. Shorter values are enough to check that everything works. */
export const settings = {
  /** Seconds of load during the rolling restart. */
  loadSeconds: seconds('TOPOLOGY_LOAD_SECONDS', 60),
  /** Seconds for which Temporal is down. */
  outageSeconds: seconds('TOPOLOGY_OUTAGE_SECONDS', 30),
  /** Seconds of load at twice the sustained rate. */
  overloadSeconds: seconds('TOPOLOGY_OVERLOAD_SECONDS', 180),
};

function seconds(name: string, fallback: number): number {
  const value = Number(process.env[name] ?? fallback);
  if (!(value > 0)) throw new Error(`${name} must be a positive number of seconds`);
  return value;
}
