/** The value of a metric's series in a Prometheus text; undefined when the series is not there. */
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

/** Every value that a label has in the series of a metric. */
export function labelValues(text: string, name: string, label: string): string[] {
  const values = text.matchAll(new RegExp(`^${name}\\{.*?\\b${label}="([^"]*)"`, 'gm'));
  return [...new Set([...values].flatMap(([, value]) => value ?? []))];
}

/** The names under which samples may be asked for, by the families that a text declares. */
export function sampleNames(text: string): Set<string> {
  const names = new Set<string>();
  for (const [, name = '', kind] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    if (kind === 'histogram') {
      for (const part of ['bucket', 'sum', 'count']) names.add(`${name}_${part}`);
    } else names.add(name);
  }
  return names;
}
