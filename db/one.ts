/** Returns the row of a statement that always returns one. Throws, as for any bug, without it. */
export function one<Row>([row]: readonly Row[], what: string): Row {
  if (row === undefined) throw new Error(`The ${what} was not returned.`);
  return row;
}
