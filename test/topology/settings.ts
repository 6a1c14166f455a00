/** How long the stories take. Short ones are good enough to see whether everything runs. */
export const settings = {
  /** Of load in the rolling restart. */
  loadSeconds: seconds('TOPOLOGY_LOAD_SECONDS', 60),
  /** For which Temporal is away. */
  outageSeconds: seconds('TOPOLOGY_OUTAGE_SECONDS', 30),
  /** Of twice the load that can be sustained. */
  overloadSeconds: seconds('TOPOLOGY_OVERLOAD_SECONDS', 180),
};

function seconds(name: string, usual: number): number {
  const value = Number(process.env[name] ?? usual);
  if (!(value > 0)) throw new Error(`${name} has to be a number of seconds`);
  return value;
}
