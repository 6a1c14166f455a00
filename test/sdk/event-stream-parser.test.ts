import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEventStreamParser } from '../../sdk/event-stream-parser.ts';

const parsed = (pieces: readonly string[], lastEventId?: string) => {
  const parser = createEventStreamParser(lastEventId);
  const events = pieces.flatMap((piece) => parser.push(piece));
  return { events, lastId: parser.lastId(), retryMs: parser.retryMs() };
};
const event = (data: string, name = 'message', id?: string) => ({ id, event: name, data });

describe('the parser of event streams', () => {
  it.each([
    { text: 'data: a\n\n', events: [event('a')], because: 'the plainest' },
    { text: 'data:a\ndata: b\n\n', events: [event('a\nb')], because: 'data of several lines' },
    { text: 'data\n\n', events: [event('')], because: 'a field without a colon is empty' },
    { text: 'event: wallet\ndata: 1\n\n', events: [event('1', 'wallet')], because: 'a name' },
    {
      text: 'event: wallet\n\ndata: 1\n\n',
      events: [event('1')],
      because: 'a name lasts no longer',
    },
    { text: ': here\nfoo: bar\ndata: 1\n\n', events: [event('1')], because: 'others are ignored' },
    { text: 'data: 1\n', events: [], because: 'it is not complete' },
    { text: 'data:  1\n\n', events: [event(' 1')], because: 'one space belongs to the colon' },
  ])('$text: $because', ({ text, events }) => {
    expect(parsed([text]).events).toEqual(events);
  });

  it('keeps an id for the events after it, and counts one that has no data', () => {
    const { events, lastId } = parsed(['id: 7\ndata: a\n\ndata: b\n\n: keep-alive\nid: 9\n\n']);
    expect(events.map(({ id }) => id)).toEqual(['7', '7']);
    expect(lastId).toBe('9');
    expect(parsed([''], '3').lastId).toBe('3');
    expect(parsed(['id: 4\n'], '3').lastId, 'not complete').toBe('3');
    expect(parsed(['id: a\0b\n\n'], '3').lastId, 'not valid').toBe('3');
  });

  it('knows how long to wait', () => {
    expect(parsed(['retry: 2500\n\nretry: soon\n\n']).retryMs).toBe(2500);
  });

  it('finds the same however the text is cut, and whatever ends its lines', () => {
    const text = 'retry: 10\n\nid: 1\nevent: wallet\ndata: {"a":1}\n\n: x\nid: 2\n\ndata: é\n\n';
    const whole = parsed([text]);
    expect(whole.events).toHaveLength(2);
    const cuts = fc.array(fc.nat({ max: text.length * 2 }), { maxLength: 12 });
    fc.assert(
      fc.property(cuts, fc.constantFrom('\n', '\r\n', '\r'), (places, end) => {
        const all = `${text.replaceAll('\n', end)}:\n`;
        const at = [0, ...[...places].sort((one, other) => one - other), all.length];
        const pieces = at.map((from, index) => all.slice(from, at[index + 1] ?? all.length));
        expect(parsed(pieces)).toEqual(whole);
      }),
    );
  });
});
