import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The name by which the server's parts know each other. */
export const SERVER_NAME = 'temporal.topology.example';

/** A private authority, and what it has signed: paths of PEM files. */
export type Certificates = {
  authority: string;
  server: { cert: string; key: string };
  client: { cert: string; key: string };
};

/** Makes an authority, a certificate of a server on this machine, and one of a client of it. */
export async function makeCertificates(folder: string): Promise<Certificates> {
  await mkdir(folder, { recursive: true });
  const authority = join(folder, 'ca.pem');
  const authorityKey = join(folder, 'ca.key');
  await openssl(
    'req',
    '-x509',
    ...NEW_KEY,
    '-keyout',
    authorityKey,
    '-out',
    authority,
    '-days',
    '2',
    '-subj',
    '/CN=The authority of the topology',
  );
  const sign = async (name: string, extensions: string) => {
    const file = (ending: string) => join(folder, `${name}.${ending}`);
    const [cert, key, request, config] = [file('pem'), file('key'), file('csr'), file('cnf')];
    await writeFile(config, extensions);
    await openssl('req', ...NEW_KEY, '-keyout', key, '-out', request, '-subj', `/CN=${name}`);
    await openssl(
      'x509',
      '-req',
      '-in',
      request,
      '-CA',
      authority,
      '-CAkey',
      authorityKey,
      '-CAcreateserial',
      '-days',
      '2',
      '-extfile',
      config,
      '-out',
      cert,
    );
    return { cert, key };
  };
  return {
    authority,
    // The server is its own client as well: its parts call each other.
    server: await sign(
      'server',
      `subjectAltName=DNS:${SERVER_NAME},IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n`,
    ),
    client: await sign('client', 'extendedKeyUsage=clientAuth\n'),
  };
}

/** The certificates as a client of Temporal's is given them. */
export async function tlsOf({ authority, client }: Certificates) {
  return {
    serverNameOverride: SERVER_NAME,
    serverRootCACertificate: await readFile(authority),
    clientCertPair: { crt: await readFile(client.cert), key: await readFile(client.key) },
  };
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

async function openssl(...args: string[]): Promise<void> {
  await execute('openssl', args);
}
