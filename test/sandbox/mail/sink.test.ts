import { readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MailSink, startMailSink } from '../../../sandbox/mail/sink.ts';
import { useFolder } from '../fixtures.ts';

const folder = useFolder('sandbox-mail-');
let sink: MailSink;

const start = () => startMailSink({ port: 0, webPort: 0, dir: folder.path });

beforeEach(async () => {
  sink = await start();
});

afterEach(() => sink.stop());

/** Sends a mail over SMTP line by line, and returns the last response's code. */
async function send(mail: { from: string; to: string[]; lines: string[] }): Promise<string> {
  const { hostname, port } = new URL(sink.smtpUrl);
  const socket = connect(Number(port), hostname);
  const answers = createInterface({ input: socket })[Symbol.asyncIterator]();
  const answer = async () => {
    for (;;) {
      const { value, done } = await answers.next();
      if (done) throw new Error('The server closed the connection.');
      if (/^\d{3} /.test(value)) return value.slice(0, 3);
    }
  };
  await answer();
  let last = '';
  const content = mail.lines.map((line) => line.replace(/^\./, '..')).join('\r\n');
  const recipients = mail.to.map((address) => `RCPT TO:<${address}>`);
  const talk = ['EHLO test', `MAIL FROM:<${mail.from}>`, ...recipients, 'DATA', `${content}\r\n.`];
  for (const line of talk) {
    socket.write(`${line}\r\n`);
    last = await answer();
    if (/^[45]/.test(last)) break;
  }
  socket.end('QUIT\r\n');
  return last;
}

const letter = {
  from: 'loyalty@example.com',
  to: ['ada@example.com', 'hidden@example.com'],
  lines: [
    'From: Loyalty <loyalty@example.com>',
    'To: Ada <ada@example.com>',
    'Subject: =?utf-8?Q?Caf=C3=A9_points?=',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'You have 42 points =E2=98=95.',
    '.hidden dot',
  ],
};

describe('startMailSink', () => {
  it('keeps a mail sent over SMTP, including recipients missing from its headers', async () => {
    expect(await send(letter)).toBe('250');
    expect(sink.mails()).toEqual([
      {
        id: expect.stringMatching(/^\d{13}-/),
        receivedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        sender: 'loyalty@example.com',
        recipients: ['ada@example.com', 'hidden@example.com'],
        from: 'Loyalty <loyalty@example.com>',
        to: ['Ada <ada@example.com>'],
        subject: 'Café points',
        text: 'You have 42 points ☕.\n.hidden dot\n',
        html: undefined,
      },
    ]);
  });

  it('returns the mails after a restart, newest first', async () => {
    await send({ ...letter, lines: ['Subject: first', '', 'x'] });
    await send({ ...letter, lines: ['Subject: second', '', 'x'] });
    const before = sink.mails();
    await sink.stop();
    sink = await start();

    expect(sink.mails()).toEqual(before);
    expect(sink.mails().map(({ subject }) => subject)).toEqual(['second', 'first']);
  });

  it('keeps the newest 500 mails, and ignores other files', async () => {
    await sink.stop();
    for (let n = 0; n < 500; n++) {
      const id = `17000000${String(n).padStart(5, '0')}-000000-00000000`;
      writeFileSync(join(folder.path, `${id}.eml`), `Subject: ${n}\r\n\r\nx`);
    }
    writeFileSync(join(folder.path, 'half.eml.1.new'), 'torn');
    sink = await start();
    expect(sink.mails()).toHaveLength(500);

    await send({ ...letter, lines: ['Subject: newest', '', 'x'] });
    const subjects = sink.mails().map(({ subject }) => subject);
    expect(subjects).toHaveLength(500);
    expect([subjects[0], subjects.at(-1)]).toEqual(['newest', '1']);
    expect(readdirSync(folder.path).filter((name) => name.endsWith('.eml'))).toHaveLength(500);
  });

  it('552 for a mail over 10 MiB, without keeping any of it', async () => {
    const line = 'x'.repeat(900);
    const lines = ['Subject: big', '', ...Array.from({ length: 12_000 }, () => line)];
    expect(await send({ ...letter, lines })).toBe('552');
    expect(sink.mails()).toEqual([]);
  });
});

describe('the pages', () => {
  const hostile = {
    ...letter,
    lines: [
      'Subject: <script>alert(1)</script>',
      'Content-Type: text/html',
      '',
      '<p onclick="steal()">"hi"</p>',
    ],
  };

  it('list the mails and show one, with all content escaped', async () => {
    await send(hostile);
    const list = await (await fetch(sink.webUrl)).text();
    expect(list).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(list).not.toContain('<script>');

    const response = await fetch(`${sink.webUrl}/mails/${sink.mails()[0]?.id}`);
    const page = await response.text();
    expect(page).toContain('srcdoc="&lt;p onclick=&quot;steal()&quot;&gt;');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('return all mails as JSON', async () => {
    await send(letter);
    const response = await fetch(`${sink.webUrl}/mails.json`);
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(sink.mails())));
  });

  it('return the source of a mail as plain text', async () => {
    await send(hostile);
    const response = await fetch(`${sink.webUrl}/mails/${sink.mails()[0]?.id}/source`);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toContain('X-Envelope-To: hidden@example.com');
  });

  it.each(['/mails/none', '/mails/..%2Fstate', '/mails/none/source'])(
    '404 for %s',
    async (path) => {
      expect((await fetch(`${sink.webUrl}${path}`)).status).toBe(404);
    },
  );
});
