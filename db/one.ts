/** Returns the row of a statement that always returns one; without it something of ours is broken. */
export function one<Row>([row]: readonly Row[], what: string): Row {
  if (row === undefined) throw new Error(`The ${what} was not returned.`);
  return row;
}
