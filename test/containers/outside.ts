import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, request, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ExternalServices, startExternalServices } from '../topology/external-services.ts';

/** The network in which containers reach this machine, and this machine's address there. */
export const SUBNET = '10.89.77.0/24';
export const HERE = '10.89.77.1';

export type Outside = ExternalServices & {
  /** What containers are given instead of the addresses of the world: settings of the service. */
  settings: Record<string, string>;
  /** What is written into the files of secrets. */
  secrets: Record<string, string>;
  /** The same for the two processes that talk to providers and issuer, which compose fixes. */
  origins: Record<string, string>;
  /** A file with the certificate of the issuer. */
  certificate: string;
};

const execute = promisify(execFile);

/**
 * Starts what is outside of a deployment: a token issuer, a mail server and both providers. They
 * listen on this machine only, so each is passed on to where containers reach it.
 */
export async function startOutside(
  folder: string,
  url: string,
  onClose: (cleanUp: () => Promise<void>) => void,
): Promise<Outside> {
  const services = await startExternalServices(folder, url, onClose);
  const { cert, key } = await makeCertificate(folder);
  const tls = { cert: await readFile(cert), key: await readFile(key) };
  const pass = async (server: Server | TcpServer) => {
    server.listen(0, '0.0.0.0');
    await once(server, 'listening');
    onClose(async () => {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no TCP port');
    return `${HERE}:${address.port}`;
  };
  const issuer = await pass(createTlsServer(tls, passingOn(services.issuer.url)));
  const alpha = await pass(createServer(passingOn(services.alpha.url)));
  const beta = await pass(createServer(passingOn(services.beta.url)));
  const smtp = new URL(services.mail.smtpUrl);
  const mail = await pass(
    createTcpServer((socket) => {
      const to = connect(Number(smtp.port), smtp.hostname);
      socket.pipe(to).pipe(socket);
      for (const end of [socket, to]) end.on('error', () => socket.destroy() && to.destroy());
    }),
  );
  return {
    ...services,
    certificate: cert,
    settings: {
      OIDC_ISSUER: services.issuer.url,
      OIDC_AUDIENCE: 'loyalty-api',
      OIDC_JWKS_URL: `https://${issuer}/jwks`,
      // A production refuses the sender of the others, of example.com.
      MAIL_FROM: 'Shop Points <points@loyalty.example>',
      ALPHA_APP_ID: String(services.env.ALPHA_APP_ID),
      BETA_APP_ID: String(services.env.BETA_APP_ID),
    },
    secrets: { ...services.env, SMTP_URL: `smtp://${mail}?insecure` },
    origins: {
      ALPHA_ORIGIN: `http://${alpha}`,
      BETA_WEB_ORIGIN: `http://${beta}`,
      BETA_API_ORIGIN: `http://${beta}`,
    },
  };
}

/** Passes each request on to a server that answers to its own address only. */
function passingOn(to: string): RequestListener {
  return (incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming;
    const { host } = new URL(to);
    const asked = request(new URL(url, to), { method, headers: { ...headers, host } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
    incoming.pipe(asked);
  };
}

async function makeCertificate(folder: string): Promise<{ cert: string; key: string }> {
  const [cert, key] = [join(folder, 'outside.pem'), join(folder, 'outside.key')];
  const what = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const names = ['-subj', '/CN=outside', '-addext', `subjectAltName=IP:${HERE}`];
  await execute('openssl', [
    ...what,
    '-nodes',
    '-days',
    '2',
    ...names,
    '-keyout',
    key,
    '-out',
    cert,
  ]);
  return { cert, key };
}
