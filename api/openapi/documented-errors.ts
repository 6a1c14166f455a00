import type { ErrorCode, IssueCode } from '../../domain/errors.ts';
import { statusOf } from '../http/replies/errors.ts';
import { limitOf, type Route } from '../http/route.ts';

type Expected = { status: number; code: ErrorCode };

/** Lists the codes with which a route may refuse a request, by status, for its OpenAPI document. */
export function documentedErrors(route: Route): Map<number, ErrorCode[]> {
  const expected: Expected[] = [
    ...ofAccess(route),
    ...ofPath(route),
    ...ofInput(route),
    ...ofLimit(route),
    ...withStatus(route.refusals ?? []),
    ...ofKey(route),
    { status: 500, code: 'INTERNAL_ERROR' },
  ];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const { status, code } of expected) {
    const codes = byStatus.get(status) ?? [];
    if (!codes.includes(code)) byStatus.set(status, [...codes, code]);
  }
  return new Map([...byStatus].sort(([one], [other]) => one - other));
}

function ofAccess({ access }: Route): Expected[] {
  const unreachable: Expected = { status: 503, code: 'INTERNAL_ERROR' };
  switch (access) {
    case 'public':
      return [];
    case 'signed-state':
      return [unreachable];
    case 'any-token':
    case 'signed-webhook':
    case 'cron-secret':
      return [unreachable, ...withStatus(['UNAUTHORIZED'])];
    default:
      return [unreachable, ...withStatus(['UNAUTHORIZED', 'INSUFFICIENT_ROLE'])];
  }
}

function ofPath({ path, anyTenant, shop }: Route): Expected[] {
  const ids: string[] = path.match(/:\w+/g) ?? [];
  const unknown: ErrorCode[] = ids.some((id) => id !== ':tenantId') ? ['NOT_FOUND'] : [];
  if (shop !== undefined) return withStatus(['TENANT_NOT_FOUND', 'TENANT_FORBIDDEN', ...unknown]);
  if (!ids.includes(':tenantId')) return withStatus(unknown);
  const isOpen = path.startsWith('/admin/') || anyTenant === true;
  const foreign: ErrorCode[] = isOpen ? [] : ['TENANT_FORBIDDEN'];
  return withStatus(['TENANT_NOT_FOUND', ...foreign, ...unknown]);
}

function ofInput({ method, query }: Route): Expected[] {
  if (method === 'GET') return query ? withStatus(['VALIDATION_ERROR']) : [];
  return [400, 413, 415].map((status) => ({ status, code: 'VALIDATION_ERROR' }));
}

function ofLimit(route: Route): Expected[] {
  return limitOf(route) === undefined ? [] : withStatus(['RATE_LIMITED']);
}

/** 409 while the first request is running, 422 when the key comes with another request. */
function ofKey({ idempotent }: Route): Expected[] {
  const statuses = idempotent ? [400, 409, 422] : [];
  return statuses.map((status) => ({
    status,
    code: status === 400 ? 'VALIDATION_ERROR' : 'IDEMPOTENCY_REPLAY',
  }));
}

function withStatus(codes: readonly ErrorCode[]): Expected[] {
  return codes.map((code) => ({ status: statusOf[code], code }));
}

const OF_FIELDS: readonly IssueCode[] = [
  'unknown_field',
  'required',
  'wrong_type',
  'too_small',
  'too_big',
  'not_multiple_of',
  'invalid_format',
  'invalid_value',
  'invalid',
];
const OF_TEXT: readonly IssueCode[] = ['forbidden_key', 'broken_text', 'too_complex'];
const OF_BODIES: readonly IssueCode[] = ['too_large', 'unsupported_media_type', 'incomplete_body'];
const OF_TOKENS: readonly IssueCode[] = ['token_missing', 'token_invalid', 'token_expired'];
const OF_GRANTS: readonly IssueCode[] = ['wrong_client', 'missing_scope'];
const OF_ACCOUNTS: readonly IssueCode[] = ['pending_approval', 'suspended', 'admin_email_required'];

/** Lists the issues with which any route like this one refuses requests. */
export function usualIssues({ access, path, method, query }: Route): readonly IssueCode[] {
  switch (access) {
    case 'signed-webhook':
      return [...OF_TEXT, ...OF_BODIES];
    case 'public':
    case 'signed-state':
      return [];
    case 'cron-secret':
      return [...OF_FIELDS, ...OF_TEXT, ...OF_BODIES, 'invalid_json'];
    default: {
      const ofBearer = [...OF_TOKENS, ...OF_ACCOUNTS, ...OF_GRANTS];
      if (path.startsWith('/admin/')) ofBearer.push('sign_in_again');
      const standing = access === 'any-token' ? OF_TOKENS : ofBearer;
      const inQuery = query === undefined ? [] : [...OF_FIELDS, ...OF_TEXT];
      const inBody = [...OF_FIELDS, ...OF_TEXT, ...OF_BODIES, 'invalid_json'] as const;
      return [...standing, ...(method === 'GET' ? inQuery : inBody)];
    }
  }
}

/** Lists the issues that the rules of this route add, in the order of its definition. */
export function ownIssues({ issues = [], shop, csv, report }: Route): readonly IssueCode[] {
  const ofShop = shop === 'named' ? (['shop_required'] as const) : [];
  const ofReports = csv || report ? (['too_many_reports'] as const) : [];
  return [...ofShop, ...issues, ...ofReports];
}
