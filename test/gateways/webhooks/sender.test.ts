import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createWebhookSender } from '../../../gateways/webhooks/sender.ts';
import { newSecret } from '../../../gateways/webhooks/signature.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function served(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
const messageTo = (url: string) => ({ id: 'an id', url, body: '{}', secrets: [newSecret()] });
const local = (withinMs = 1_000) => createWebhookSender({ allowsLoopback: true, withinMs });

describe('a webhook', () => {
  it('is sent to none of the addresses of a name if one of them is not public', async () => {
    const asked: string[] = [];
    const sender = createWebhookSender({
      allowsLoopback: false,
      async resolve(name) {
        asked.push(name);
        return ['93.184.216.34', '10.0.0.7'];
      },
    });
    expect(await sender.send(messageTo('https://shop.example/x'))).toMatchObject({
      isTaken: false,
      responseStatus: null,
      error: 'The address of the host is not public.',
    });
    expect(asked).toEqual(['shop.example']);
  });

  it('goes to the judged address, also when the name leads elsewhere by now', async () => {
    let isCalled = false;
    const port = await served((_, response) => {
      isCalled = true;
      response.end();
    });
    const answers = [['127.0.0.1'], ['10.0.0.7']];
    const resolve = async () => answers.shift() ?? [];
    const sender = createWebhookSender({ allowsLoopback: true, resolve });
    const sent = await sender.send(messageTo(`http://rebound.example:${port}/`));
    expect(sent).toMatchObject({ isTaken: true, responseStatus: 200 });
    expect({ isCalled, left: answers.length }).toEqual({ isCalled: true, left: 1 });
    const again = await sender.send(messageTo(`http://rebound.example:${port}/`));
    expect(again.error).toBe('The address of the host is not public.');
  });

  it('is not sent without TLS to another machine, even where loopback is allowed', async () => {
    const resolve = async () => ['93.184.216.34'];
    const sender = createWebhookSender({ allowsLoopback: true, resolve });
    expect(await sender.send(messageTo('http://shop.example/'))).toMatchObject({
      error: 'The address does not begin with https.',
    });
  });

  it('is not sent to this machine, by whatever spelling, unless that is allowed', async () => {
    const sender = createWebhookSender({ allowsLoopback: false });
    for (const host of ['127.0.0.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', 'localhost']) {
      expect(await sender.send(messageTo(`https://${host}/`))).toMatchObject({
        responseStatus: null,
        error: 'The address of the host is not public.',
      });
    }
  });

  it('does not follow a redirect', async () => {
    let calls = 0;
    const port = await served((_, response) => {
      calls++;
      response.writeHead(307, { location: 'http://169.254.169.254/' }).end();
    });
    expect(await local().send(messageTo(`http://127.0.0.1:${port}/`))).toMatchObject({
      isTaken: false,
      responseStatus: 307,
      error: 'The endpoint answered 307.',
    });
    expect(calls).toBe(1);
  });

  it('waits for no answer longer than its time', async () => {
    const port = await served(() => undefined);
    const sent = await local(300).send(messageTo(`http://127.0.0.1:${port}/`));
    expect(sent).toMatchObject({ isTaken: false, error: 'No answer within 0.3 s.' });
    expect(sent.milliseconds).toBeLessThan(2_000);
  });

  it('keeps 1 KiB of an answer, without what Postgres cannot store, and reads 64 KiB', async () => {
    let written = 0;
    const port = await served((_, response) => {
      response.write('\0');
      const more = () => {
        while (response.write('x'.repeat(16_384))) written += 16_384;
        response.once('drain', more);
      };
      more();
    });
    const sent = await local(5_000).send(messageTo(`http://127.0.0.1:${port}/`));
    expect(sent.isTaken).toBe(true);
    expect(sent.response).toBe(`\uFFFD${'x'.repeat(1023)}`);
    expect(sent.milliseconds).toBeLessThan(4_000);
    expect(written).toBeLessThan(50 * 1024 * 1024);
  });

  it('is taken by a 2xx whose body never ends', async () => {
    const port = await served((_, response) => response.writeHead(202).write('wait'));
    const sent = await local(400).send(messageTo(`http://127.0.0.1:${port}/`));
    expect(sent).toMatchObject({ isTaken: true, responseStatus: 202, response: 'wait' });
  });

  it('says in a few words why there was no answer', async () => {
    expect(await local().send(messageTo('http://127.0.0.1:9/'))).toMatchObject({
      error: 'The request failed: ECONNREFUSED.',
    });
    const sender = createWebhookSender({ allowsLoopback: false, resolve: async () => [] });
    expect(await sender.send(messageTo('https://shop.example/'))).toMatchObject({
      error: 'The name of the host has no address.',
    });
  });
});
