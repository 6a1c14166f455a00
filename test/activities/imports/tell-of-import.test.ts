import { expect, it } from 'vitest';
import { doWork } from '../../../activities/due-work/worker.ts';
import { tellOfImport } from '../../../activities/imports/tell-of-import.ts';
import type { Mail } from '../../../gateways/mail/mailer.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import { required } from '../../support/factories.ts';
import { useApp } from '../../support/fixtures.ts';
import { anImportingShop, runImports } from '../../support/points/imports.ts';

const app = await useApp();
const { db } = app;
const log = createLogger({ level: 'silent', service: 'test' });

it('mails the owners once what became of an import, and that it was taken back', async () => {
  const shop = await anImportingShop(app);
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void sent.push(mail), async close() {} };
  const tell = () =>
    doWork({ db, log }, tellOfImport({ db, mailer, frontendUrl: 'https://app.example' }));
  const owner = required(await db('users').where({ id: shop.merchantId }).first()).email;

  const id = await shop.bring('ada@example.com,,7');
  await tell();
  await tell();
  const ofOwner = () => sent.filter(({ to }) => to === owner);
  expect(ofOwner()).toMatchObject([{ messageId: expect.stringContaining(`import-${id}-done`) }]);
  expect(sent[0]?.text).toContain('1 customer has not signed up yet.');
  await shop.revert(id);
  await runImports(db);
  await tell();
  const messageId = expect.stringContaining(`import-${id}-reverted`);
  expect(ofOwner().slice(1)).toMatchObject([{ messageId }]);
});
