/** Milliseconds of the monotonic clock of the machine, which all processes share. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
