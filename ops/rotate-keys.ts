import { type Config, ConfigSchema } from '../config.ts';
import * as auditLog from '../db/audit-log.ts';
import type { Db } from '../db/connection.ts';
import * as sealedValues from '../db/key-rotation.ts';
import * as endpointSecrets from '../db/outgoing/secrets.ts';
import type { Sealed } from '../domain/sealed.ts';
import { createRedemptionCodes } from '../gateways/crypto/redemption-codes.ts';
import { createSealer, createSubkeys, type Sealer } from '../gateways/crypto/sealer.ts';
import { showProgress } from '../gateways/terminal/progress.ts';
import { bindingOfSecret } from '../gateways/webhooks/secret-binding.ts';
import { type Command, describeFields, requireNoArguments } from './command.ts';

export const rotateKeys: Command = {
  usage: 'rotate-keys',
  summary: 'Seals all secrets again under the first key of ENCRYPTION_KEY, while the service runs',
  async run({ args, db, settings, operator }) {
    requireNoArguments(args);
    const { ENCRYPTION_KEY: ring } = settings(ConfigSchema.pick({ ENCRYPTION_KEY: true }));
    const rotation = await rotate(db, ring, operator);
    const { resealed, failed, left, until } = rotation;
    const isDone = Object.values(left).every((count) => count === 0);
    const text = [
      `Sealed under key ${rotation.keyId}:\n`,
      describeFields(resealed),
      ...failed.map((line) => `NOT sealed again: ${line}\n`),
      'Recognised only by older keys, and until when:\n',
      describeFields({
        closedCodes: `${left.closedCodes}, until ${until.closedCodes}; then a till gets 404`,
        answers: `${left.answers}, until ${until.answers}`,
        anonymousPayments: `${left.anonymousPayments}, until ${until.anonymousPayments}`,
        importedMembers: `${left.importedMembers}, until ${until.importedMembers}; then no points`,
        erasedPeople: `${left.erasedPeople}, until ${until.erasedPeople}`,
      }),
      adviceOf({ isDone, hasFailed: failed.length > 0 }),
    ];
    return { data: rotation, text: text.join(''), failed: failed.length > 0 };
  },
};

function adviceOf({ isDone, hasFailed }: { isDone: boolean; hasFailed: boolean }): string {
  if (hasFailed) return 'Older keys are still needed.\n';
  return isDone
    ? 'Older keys are no longer needed. Remove them from ENCRYPTION_KEY.\n'
    : 'Older keys no longer seal anything. Remove them when all counts above are 0.\n';
}

const BATCH = 200;
const HOUR_MS = 3_600_000;
/** How long after the rotation each remainder is needed. */
const KEPT_HOURS = {
  closedCodes: 30 * 24,
  answers: 24,
  anonymousPayments: 30 * 24,
  erasedPeople: 30 * 24,
};

type Rotation = {
  keyId: string;
  resealed: { connections: number; codes: number; authorizations: number; endpointSecrets: number };
  failed: string[];
  left: sealedValues.Remainder;
  /** When each count is 0 at the latest, ISO 8601. */
  until: Record<keyof sealedValues.Remainder, string>;
};

/**
 * Seals provider tokens, issued codes, pending authorizations and endpoints' secrets again, batch
 * by batch. A row that changes meanwhile is skipped, because its writer already sealed it. May be
 * run again, also concurrently, for the rows that remain.
 */
async function rotate(db: Db, ring: Config['ENCRYPTION_KEY'], operator: string): Promise<Rotation> {
  const keyId = ring[0]?.id ?? '';
  const tokenSealer = createSealer(ring);
  const codes = createRedemptionCodes(ring);
  const failed: string[] = [];
  const walk = <Row extends { id: string }>(parts: Omit<Walk<Row>, 'db' | 'keyId' | 'failed'>) =>
    walkAll({ ...parts, db, keyId, failed });

  const connections = await walk<sealedValues.SealedTokens>({
    what: 'connection',
    kind: 'connections',
    list: (page) => sealedValues.listTokens(db, page),
    renew: (row) => sealedValues.replaceTokens(db, row, renewedTokens(tokenSealer, row)),
  });
  const authorizations = await walk<sealedValues.SealedAttempt>({
    what: 'authorization',
    kind: 'authorizations',
    list: (page) => sealedValues.listAttempts(db, page),
    renew: (row) => {
      const context = { ...row, field: 'authorization_code' };
      const code = tokenSealer.open(row.sealedCode, context);
      return sealedValues.replaceAttempt(db, row, tokenSealer.seal(code, context));
    },
  });
  const issued = await walk<sealedValues.SealedRedemption>({
    what: 'redemption',
    kind: 'codes',
    list: (page) => sealedValues.listCodes(db, page),
    renew: (row) => sealedValues.replaceCode(db, row, codes.renew(row.sealedCode, row)),
  });
  const webhookSealer = createSealer(createSubkeys(ring, 'webhook secrets'));
  const secrets = await walk<endpointSecrets.SealedSecret>({
    what: 'secret of an endpoint',
    kind: 'endpointSecrets',
    list: (page) => endpointSecrets.listSealed(db, page),
    renew: (row) => {
      const binding = bindingOfSecret(row.endpointId);
      const secret = webhookSealer.open(row.sealedSecret, binding);
      return endpointSecrets.reseal(db, row, webhookSealer.seal(secret, binding));
    },
  });
  const resealed = { connections, codes: issued, authorizations, endpointSecrets: secrets };
  const total = Object.values(resealed).reduce((sum, count) => sum + count, 0);
  await record(db, operator, { keyId, resealed: total, failed });
  const { left, rotatedAt, importsUntil } = await sealedValues.countRemainder(db, keyId);
  const completeAt = rotatedAt ?? new Date();
  const after = (hours: number) => new Date(Number(completeAt) + hours * HOUR_MS).toISOString();
  const until = {
    closedCodes: after(KEPT_HOURS.closedCodes),
    answers: after(KEPT_HOURS.answers),
    anonymousPayments: after(KEPT_HOURS.anonymousPayments),
    importedMembers: (importsUntil ?? completeAt).toISOString(),
    erasedPeople: after(KEPT_HOURS.erasedPeople),
  };
  return { keyId, resealed, failed, left, until };
}

/** The audit entry also says since when nothing is stored under older keys. */
async function record(
  db: Db,
  operator: string,
  { keyId, resealed, failed }: { keyId: string; resealed: number; failed: readonly string[] },
): Promise<void> {
  await db.transaction((tx) =>
    auditLog.insert(tx, {
      ...auditLog.byOps(operator),
      action: 'key.rotate',
      targetType: 'key',
      targetId: null,
      tenantId: null,
      reason: null,
      before: {},
      after: { keyId, resealed, failed: failed.length },
    }),
  );
}

function renewedTokens(tokenSealer: Sealer, row: sealedValues.SealedTokens) {
  const { tenantId, provider, sealedAccessToken, sealedRefreshToken } = row;
  const renew = (sealed: Sealed, field: string) => {
    const context = { tenantId, provider, field };
    return tokenSealer.seal(tokenSealer.open(sealed, context), context);
  };
  return {
    sealedAccessToken: renew(sealedAccessToken, 'access_token'),
    sealedRefreshToken: sealedRefreshToken && renew(sealedRefreshToken, 'refresh_token'),
  };
}

type Walk<Row extends { id: string }> = {
  what: string;
  kind: keyof typeof sealedValues.OLD;
  db: Db;
  keyId: string;
  failed: string[];
  list(page: sealedValues.Page<Row['id']>): Promise<Row[]>;
  renew(row: Row): Promise<boolean>;
};

async function walkAll<Row extends { id: string }>(walk: Walk<Row>): Promise<number> {
  const { what, kind, db, keyId, failed, list, renew } = walk;
  const progress = await showProgress(`${what}: values sealed again`, () =>
    sealedValues.countOld(db, kind, keyId),
  );
  let renewed = 0;
  let after: Row['id'] | null = null;
  do {
    const rows: Row[] = await list({ notUnder: keyId, after, limit: BATCH });
    for (const row of rows) {
      try {
        if (await renew(row)) renewed++;
      } catch (error) {
        failed.push(`${what} ${row.id}: ${error instanceof Error ? error.message : error}`);
      }
    }
    progress.at(renewed);
    after = rows.at(-1)?.id ?? null;
  } while (after !== null);
  progress.end();
  return renewed;
}
