import { describe, expect, it } from 'vitest';
import { type ChangeFacts, changeMail } from '../../../domain/texts/change-mail.ts';

const facts = (some: Partial<ChangeFacts>): ChangeFacts => ({
  action: 'rule.publish',
  actor: 'user',
  actorEmail: 'owner@example.com',
  targetEmail: null,
  before: {},
  after: { version: 4, conversionRate: 0.25 },
  createdAt: new Date('2026-01-15T10:00:00.000Z'),
  shop: 'Corner Café',
  logoUrl: null,
  color: null,
  country: 'DE',
  timeZone: null,
  currency: 'EUR',
  accountName: null,
  url: null,
  posUrl: 'https://app.example/pos',
  isReminder: false,
  language: null,
  ...some,
});
const textOf = (some: Partial<ChangeFacts>) =>
  changeMail(facts(some)).blocks.map((block) => ('text' in block ? block.text : ''));

describe('changeMail', () => {
  it('says what changed, who did it by the clocks of the shop, and what to do', () => {
    expect(changeMail(facts({ shop: 'Café\r\nBcc: all' }))).toEqual({
      language: 'en',
      subject: 'New rule: Café Bcc: all',
      shop: { name: 'Café Bcc: all', logoUrl: null, color: null },
      blocks: [
        {
          type: 'paragraph',
          text: 'A new rule for points was published. By it, each €1.00 of a sale earns 25 points.',
        },
        {
          type: 'paragraph',
          text: 'It was done by o***@example.com, on 15 January 2026, 11:00 (UTC+01:00).',
        },
        { type: 'paragraph', text: expect.stringMatching(/^You did not expect this\?/) },
      ],
    });
  });

  it.each([
    [
      { action: 'operator.accept', targetEmail: 'ada@example.com' },
      /^a\*\*\*@example\.com now works/,
    ],
    [{ action: 'endpoint.create', url: 'https://a.example/x' }, /more address: https:\/\/a\.exam/],
    [{ action: 'endpoint.create', url: null }, /one more address: $/],
    [{ action: 'endpoint.update', url: 'https://a.example/x' }, /now: https:\/\/a\.example\/x$/],
    [{ action: 'endpoint.rotate', url: 'https://a.example/x' }, /new secret: https:\/\/a\.exam/],
    [
      { action: 'tenant.set_currency', before: { currency: null }, after: { currency: 'EUR' } },
      /it was not known, and is EUR now/,
    ],
    [
      {
        action: 'tenant.set_time_zone',
        before: { timeZone: 'Europe/Paris' },
        after: { timeZone: 'Europe/Berlin' },
      },
      /it was Europe\/Paris, and is Europe\/Berlin now/,
    ],
    [
      { action: 'connection.connect', after: { provider: 'alpha', merchantId: 'M7' } },
      /^The account M7 at Alpha was connected/,
    ],
    [
      {
        action: 'connection.lost',
        after: { provider: 'beta', merchantId: 'M7' },
        accountName: 'Main\nstreet',
      },
      /^The account Main street \(M7\) at Beta no longer lets us in/,
    ],
    [
      { after: { conversionRate: 0.29 }, currency: 'USD' },
      /each \$1\.00 of a sale earns 29 points/,
    ],
    [{ after: { conversionRate: 1 }, currency: 'JPY' }, /each ¥1 of a sale earns 1 point\.$/],
    [{ currency: null }, /^A new rule for points was published\.$/],
    [{ action: 'something.new' }, /The list of what was done/],
  ] satisfies [Partial<ChangeFacts>, RegExp][])('%j', (some, expected) => {
    expect(textOf(some)[0]).toMatch(expected);
  });

  it.each([
    ['operator.accept', 'New staff'],
    ['rule.publish', 'New rule'],
    ['endpoint.create', 'New webhook address'],
    ['endpoint.update', 'Webhook address changed'],
    ['endpoint.rotate', 'New webhook secret'],
    ['tenant.set_currency', 'Currency corrected'],
    ['tenant.set_time_zone', 'Time zone corrected'],
    ['connection.connect', 'Alpha connected'],
    ['something.new', 'Something changed in your shop'],
  ])('says in the subject of %s what changed', (action, title) => {
    const { subject } = changeMail(facts({ action, after: { provider: 'alpha' } }));
    expect(subject).toBe(`${title}: Corner Café`);
  });

  it('says in the subject which sales earn nothing, and a day later that they still do', () => {
    const lost = { action: 'connection.lost', after: { provider: 'beta', merchantId: 'M7' } };
    expect(changeMail(facts(lost)).subject).toBe('Sales at Beta earn no points: Corner Café');
    const reminder = changeMail(facts({ ...lost, isReminder: true }));
    expect(reminder.subject).toBe('Sales at Beta still earn no points: Corner Café');
    expect(reminder.blocks).toEqual([
      { type: 'paragraph', text: expect.stringMatching(/^The account M7 at Beta has not let us/) },
      { type: 'paragraph', text: expect.stringMatching(/^It was done|^We noticed it/) },
      { type: 'link', label: 'See the connected accounts', url: 'https://app.example/pos' },
    ]);
  });

  it('links to the connections for what is about one', () => {
    expect(changeMail(facts({ action: 'connection.lost' })).blocks.at(-1)).toEqual({
      type: 'link',
      label: 'See the connected accounts',
      url: 'https://app.example/pos',
    });
  });

  it('names nobody whom the reader need not know', () => {
    expect(textOf({ actorEmail: null })[1]).toMatch(/somebody who works for the service/);
    expect(textOf({ actor: 'ops', actorEmail: null })[1]).toMatch(/those who run the service/);
    expect(textOf({ action: 'connection.lost', actor: 'ops' })[1]).toMatch(/^We noticed it on/);
  });

  it('tells administrators of a new one', () => {
    const mail = changeMail(
      facts({ action: 'user.role', shop: null, targetEmail: 'new@staff.example' }),
    );
    expect(mail).toMatchObject({
      subject: 'There is a new administrator',
      shop: { name: 'Administrators' },
      blocks: [{ text: 'n***@staff.example is an administrator now.' }, {}, {}],
    });
  });
});
