/** A line of a page, by its id. */
export type Line = { id: string; markup: string };

/** Some of the lines as they are now, and the order of all. */
export type Changes = { order: string[]; changed: Record<string, string> };

/**
 * What has to be sent to a reader who was sent `sent`, which is brought up to date; undefined when
 * nothing has changed.
 */
export function changesSince(
  sent: Map<string, string>,
  lines: readonly Line[],
): Changes | undefined {
  const before = [...sent.keys()].join();
  const changed = lines.filter(({ id, markup }) => sent.get(id) !== markup);
  sent.clear();
  for (const { id, markup } of lines) sent.set(id, markup);
  const order = lines.map(({ id }) => id);
  if (changed.length === 0 && before === order.join()) return undefined;
  return { order, changed: Object.fromEntries(changed.map(({ id, markup }) => [id, markup])) };
}

export type LiveLines = {
  /** Calls back with the lines at once, and whenever they were read again, until it is ended. */
  follow(onLines: (lines: readonly Line[]) => void): () => void;
};

/** Reads lines again and again while somebody follows them: once for all who do. */
export function createLiveLines(options: {
  read(): Promise<readonly Line[]>;
  pauseMs: number;
}): LiveLines {
  const followers = new Set<(lines: readonly Line[]) => void>();
  let isReading = false;
  const readOn = async () => {
    if (isReading) return;
    isReading = true;
    while (followers.size > 0) {
      // While the database is away, the last lines stay.
      const lines = await options.read().catch(() => undefined);
      if (lines !== undefined) for (const onLines of followers) onLines(lines);
      await new Promise((resolve) => setTimeout(resolve, options.pauseMs).unref());
    }
    isReading = false;
  };
  return {
    follow(onLines) {
      followers.add(onLines);
      void readOn();
      return () => void followers.delete(onLines);
    },
  };
}
