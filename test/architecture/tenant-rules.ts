import ts from 'typescript';
import type { Source } from './source-rules.ts';

/** The tables whose rows belong to a tenant, or to a consumer at a tenant. */
const TABLES = [
  'memberships',
  'reward_rules',
  'programme_versions',
  'wallets',
  'ledger_entries',
  'pos_connections',
  'account_tenures',
  'payments',
  'redemptions',
  'invites',
  'operator_removals',
  'tenant_events',
  'webhook_endpoints',
  'webhook_deliveries',
];

const WORDS = new RegExp(`\\b(?:from|join|into|update)\\s+(?:${TABLES.join('|')})\\b`, 'i');
const BUILT = new RegExp(`^(?:${TABLES.join('|')})(?: as \\w+)?$`);
/** Names of what a row belongs to. */
const OWNER = /tenant_?id|user_?id|wallet_?id/i;

/**
 * Lists the statements over a tenant's tables that name neither tenant, user nor wallet, as
 * `path: function`, each once. A statement is a text of SQL, or one that builds a query.
 */
export function unownedIn({ path, text }: Source): string[] {
  if (!path.startsWith('db/')) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    const statement = statementOf(node);
    if (statement !== undefined && !OWNER.test(statement)) found.add(`${path}: ${nameOf(node)}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...found];
}

function statementOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
    // A text inside a larger one is a part of its statement.
    if (ts.isTemplateSpan(node.parent)) return undefined;
    return WORDS.test(node.getText()) ? node.getText() : undefined;
  }
  if (!ts.isCallExpression(node)) return undefined;
  const [table] = node.arguments;
  const isBuilt =
    ts.isIdentifier(node.expression) &&
    table !== undefined &&
    ts.isStringLiteralLike(table) &&
    BUILT.test(table.text);
  if (!isBuilt) return undefined;
  let outer: ts.Node = node;
  while (!ts.isStatement(outer) && outer.parent !== undefined) outer = outer.parent;
  return outer.getText();
}

/** The declaration at the top of the file in which the node is. */
function nameOf(node: ts.Node): string {
  let outer: ts.Node = node;
  while (!ts.isSourceFile(outer.parent)) outer = outer.parent;
  if (ts.isFunctionDeclaration(outer)) return outer.name?.text ?? '';
  if (!ts.isVariableStatement(outer)) return '';
  return outer.declarationList.declarations.map(({ name }) => name.getText()).join();
}
