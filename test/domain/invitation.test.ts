import { describe, expect, it } from 'vitest';
import { invitationMail, nameInMail, secondsUntilNextInvite } from '../../domain/invitation.ts';

describe('secondsUntilNextInvite', () => {
  it('0 below the limit of the hour, else the time until there is room', () => {
    const use = { open: 0, secondsToWait: 7 };
    expect(secondsUntilNextInvite({ ...use, lastHour: 59 })).toBe(0);
    expect(secondsUntilNextInvite({ ...use, lastHour: 60 })).toBe(7);
  });

  it('RULE_REJECTED for the two hundred and first that would be pending', () => {
    const use = { lastHour: 0, secondsToWait: 1 };
    expect(secondsUntilNextInvite({ ...use, open: 199 })).toBe(0);
    expect(() => secondsUntilNextInvite({ ...use, open: 200 })).toThrow(
      expect.objectContaining({
        code: 'RULE_REJECTED',
        issues: [expect.objectContaining({ path: '', code: 'too_many_invites' })],
      }),
    );
  });
});

describe('nameInMail', () => {
  it.each([
    'Corner Café',
    'St. Mary’s Bakery',
    'Studio 54',
    '7-Eleven',
    'Bar 1899',
    'Müller & Co.',
  ])('shows %s', (name) => {
    expect(nameInMail(name)).toBe(name);
  });

  it('shows a name in one line', () => {
    expect(nameInMail(' Corner\r\nBcc:\u0000 Café\u202e ')).toBe('Corner Bcc: Café');
  });

  it.each([
    'Your account is locked, call +49 30 123456',
    'Call (030) 12-34-5',
    'Win at https://evil.example',
    'Win at evil.example',
    'win at WWW evil',
    'mail me@evil',
    'Ｅｖｉｌ．ｅｘａｍｐｌｅ',
    'Your account has been locked, answer this mail to get it unlocked',
    '',
    '\u200b',
  ])('does not show %j', (name) => {
    expect(nameInMail(name)).toBe('a shop');
  });
});

describe('invitationMail', () => {
  const inviteUrl = 'https://app.shop.example/invites/7';

  it('names the shop and the page where the person decides', () => {
    const mail = invitationMail({ tenantName: 'Corner Café', inviteUrl, language: null });
    expect(mail.subject).toBe('You are invited to work at Corner Café');
    expect(mail.blocks[0]).toMatchObject({
      text: expect.stringMatching(/at the till of this shop: Corner Café$/),
    });
    expect(mail.blocks).toContainEqual({
      type: 'link',
      label: 'Accept or decline',
      url: inviteUrl,
    });
  });

  it('carries no message of the shop’s, nor its picture', () => {
    const mail = invitationMail({ tenantName: 'Call +49 30 123456', inviteUrl, language: null });
    expect(mail.subject).toBe('You are invited to work at a shop');
    expect(mail.shop).toEqual({ name: 'a shop', logoUrl: null });
    expect(JSON.stringify(mail)).not.toContain('123456');
  });
});
