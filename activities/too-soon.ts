/** What was asked for has to wait a little, which is no failure: it is tried again after that. */
export class TooSoon extends Error {
  override readonly name = 'TooSoon';
  readonly waitMs: number;

  constructor(message: string, waitMs: number) {
    super(message);
    this.waitMs = waitMs;
  }
}
