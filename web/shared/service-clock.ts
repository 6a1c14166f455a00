/** The time as the service has it, which decides what has run out; a device's may be wrong. */
export type ServiceClock = {
  now(): number;
  /** What asks the service: each answer says what time it is there. */
  fetch: typeof globalThis.fetch;
};

/** Makes a clock that goes by the device's until the first answer, and then within a second. */
export function createServiceClock(): ServiceClock {
  let aheadMs = 0;
  return {
    now: () => Date.now() + aheadMs,
    async fetch(...given) {
      const response = await globalThis.fetch(...given);
      const time = Date.parse(response.headers.get('date') ?? '');
      if (!Number.isNaN(time)) aheadMs = time - Date.now();
      return response;
    },
  };
}
