/** The value of a series in Prometheus text format; undefined if the series is missing. */
export function sampleOf(
  text: string,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  for (const line of text.split('\n')) {
    const [, series, inner = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (series !== name) continue;
    const parts = [...inner.matchAll(/\w+="(?:[^"\\]|\\.)*"/g)].map(([part]) => part);
    if (parts.length === wanted.length && wanted.every((part) => parts.includes(part))) {
      return Number(value);
    }
  }
  return undefined;
}

/** The distinct values of a label across a metric's series. */
export function labelValues(text: string, name: string, label: string): string[] {
  const values = text.matchAll(new RegExp(`^${name}\\{.*?\\b${label}="([^"]*)"`, 'gm'));
  return [...new Set([...values].flatMap(([, value]) => value ?? []))];
}

/** The sample names that can be queried, from the metric families that the text declares. */
export function sampleNames(text: string): Set<string> {
  const names = new Set<string>();
  for (const [, name = '', kind] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    if (kind === 'histogram') {
      for (const part of ['bucket', 'sum', 'count']) names.add(`${name}_${part}`);
    } else names.add(name);
  }
  return names;
}
