import { describe, expect, it } from 'vitest';
import { draftOf, readDraft } from '../../web/portal/application-draft.ts';

const draft = { shopName: 'Second Scoop', phone: ' +1 212 555 0177 ', website: '', reason: 'Why.' };
const application = { shopName: 'Second Scoop', phone: '+1 212 555 0177', reason: 'Why.' };

describe('an application', () => {
  it('begins with what was said before', () => {
    expect(draftOf(undefined)).toEqual({ shopName: '', phone: '', website: '', reason: '' });
    expect(draftOf(application)).toEqual({ ...application, website: '' });
  });

  it.each([
    ['scoop.example', 'https://scoop.example'],
    [' scoop.example/menu ', 'https://scoop.example/menu'],
    ['http://scoop.example', 'https://scoop.example'],
    ['HTTPS://scoop.example', 'https://scoop.example'],
  ])('completes the address %s', (typed, website) => {
    const read = readDraft({ ...draft, website: typed });
    expect(read).toEqual({ application: { ...application, website } });
  });

  it('needs no website', () => {
    expect(readDraft(draft)).toEqual({ application });
  });

  it.each([
    [{ phone: 'call me' }, ['phone']],
    [{ phone: '123' }, ['phone']],
    [{ website: 'scoop' }, ['website']],
    [{ website: 'our scoop.example' }, ['website']],
    [{ phone: '', website: 'javascript:alert(1)' }, ['phone', 'website']],
  ])('says what is wrong with %j', (typed, wrong) => {
    expect(readDraft({ ...draft, ...typed })).toEqual({ wrong });
  });
});
