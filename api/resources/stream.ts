import { z } from 'zod';

/** The event of a stream that cannot resume: what the application shows may be out of date. */
export const RESET_EVENT = {
  data: z.object({}).describe('Nothing. Read again what you show.'),
  example: {},
};

/** What all streams of events have in common. */
export const STREAM_DESCRIPTION =
  'Server-Sent Events, which go on until the token expires; open them with `fetch`, which can ' +
  'send a token. Nothing is sent for the present state: open the stream first, then read the ' +
  'list. When it breaks, open it again with the last `id` as `Last-Event-ID`: within ten minutes ' +
  'you get what has changed since, each resource in its present state; otherwise `reset`, which ' +
  'says to read the list again. A state may be sent twice. A comment every 20 seconds keeps the ' +
  'connection open. At most ten streams of a user.';
