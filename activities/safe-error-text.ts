/** An error as text that may be stored: our own messages, but only the code of a database error. */
export function safeErrorText(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    const isPostgres = /^[0-9A-Z]{5}$/.test(error.code);
    const constraint =
      'constraint' in error && error.constraint !== undefined ? ` ${error.constraint}` : '';
    if (isPostgres) return `Postgres refused it: ${error.code}${constraint}`;
  }
  return error instanceof Error ? `${error.name}: ${error.message}` : 'Unknown error';
}
