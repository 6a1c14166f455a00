/** An answer that is more than data: its own status or headers. The body may be bytes. */
export class Reply<Body> {
  readonly body: Body;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: Body, status: number | undefined, headers: Readonly<Record<string, string>>) {
    this.body = body;
    this.status = status;
    this.headers = headers;
  }
}

/** An answer that sends the caller elsewhere. */
export class Redirect {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }
}

/** One page of a list, and the position after its last item where there are more. */
export class Page<Items> {
  readonly items: Items;
  readonly next: readonly string[] | undefined;

  constructor(items: Items, next: readonly string[] | undefined) {
    this.items = items;
    this.next = next;
  }
}

/** Answers `body` with a status or headers of its own. */
export function reply<const Body>(answer: {
  body: Body;
  status?: number;
  headers?: Readonly<Record<string, string>>;
}): Reply<Body> {
  return new Reply(answer.body, answer.status, answer.headers ?? {});
}

/** Answers 302 to an absolute URL. */
export function redirect(url: string): Redirect {
  return new Redirect(url);
}

/** Answers the items as a bare array; `next`, the last item's position, becomes the `Link` header. */
export function page<const Items extends readonly unknown[]>(
  items: Items,
  next: readonly string[] | undefined,
): Page<Items> {
  return new Page(items, next);
}
