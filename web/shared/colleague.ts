/** What somebody who works in a shop is called: by their name, else by what is shown of them. */
export function colleagueName(
  { name, email }: { name: string | null; email: string | null },
  otherwise: string,
): string {
  return name ?? email ?? otherwise;
}
