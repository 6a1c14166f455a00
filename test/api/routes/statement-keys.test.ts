import { describe, expect, it } from 'vitest';
import { listStatementKeys } from '../../../api/routes/statement-keys.ts';
import { createStatementKeys } from '../../../gateways/crypto/statement-keys.ts';
import { serveRoutes } from '../../support/http/serve-routes.ts';

const secret = (byte: number) => ({ id: `k${byte}`, key: Buffer.alloc(32, byte) });

describe('GET /statement-keys', () => {
  it('200 with the key that signs first, and then those of earlier statements', async () => {
    const former = createStatementKeys([secret(2)]).current;
    const statementKeys = createStatementKeys([secret(1)], [former.publicKey]);
    const served = await serveRoutes([listStatementKeys], { statementKeys });
    try {
      const response = await fetch(`${served.url}/api/v1/statement-keys`);
      expect(response.status).toBe(200);
      const algorithm = 'Ed25519';
      expect(await response.json()).toEqual([
        { ...statementKeys.current, algorithm },
        { ...former, algorithm },
      ]);
    } finally {
      await served.close();
    }
  });
});
