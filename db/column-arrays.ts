/** Of each column its type, and its value in a row. */
type Columns<Row> = Readonly<Record<string, readonly [type: string, read: (row: Row) => unknown]>>;

/**
 * Describes rows that a statement is given with one array for each column: their `names`, the text
 * `source`, which the statement reads them from as `alias`, and `bind`, which returns the arrays,
 * named `alias_column`.
 */
export function columnArrays<Row>(alias: string, columns: Columns<Row>) {
  const names = Object.keys(columns);
  const arrays = Object.entries(columns).map(([name, [type, read]]) => ({
    binding: `${alias}_${name}`,
    type,
    read,
  }));
  const parameters = arrays.map(({ binding, type }) => `:${binding}::${type}[]`);
  return {
    names,
    source: `unnest(${parameters.join(', ')}) as ${alias}(${names.join(', ')})`,
    bind(rows: readonly Row[]): Record<string, unknown[]> {
      const values: Record<string, unknown[]> = {};
      for (const { binding, read } of arrays) values[binding] = rows.map(read);
      return values;
    },
  };
}
