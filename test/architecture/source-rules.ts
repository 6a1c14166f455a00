import ts from 'typescript';
import { PROVIDERS } from '../../domain/payment.ts';

export type Source = { path: string; text: string };

// What a linter cannot say, or not as strictly; the other rules are in biome.json.

/** A line wider than the formatter's 100 columns: it breaks neither comments nor strings. */
const LONG_LINE = /^.{101,}$/gmu;
/** A section of a document that is not in the repository. */
const DOCUMENT_REFERENCE =
  /\b(?:contract|spec|specification)(?:'s|,)?[\s*]+(?:section[\s*]+)?\d|\(\d+\.\d+\)/gi;

const SERVICE =
  /^((config|wiring)\.ts|(domain|db|gateways|workflows|activities|api|worker|migrations|ops)\/)/;
const MAY_READ_ENV = /^(config\.ts|web\/build\.ts|(sandbox|bench|test)\/)/;
const MAY_SPEAK_SQL = /^(db|migrations|bench|sandbox|test)\//;
/** Without a clock or chance: polls go by the database's clock, which all workers share. */
const PURE = /^(domain\/|activities\/polling\/|db\/connections\/poll-)/;
/** The lists of providers, what is about one of them, and what only measures or checks. */
const MAY_NAME_PROVIDERS = [
  /^(domain\/payment|(gateways|sandbox)\/providers\/index|web\/shared\/providers)\.ts$/,
  /^(gateways|sandbox)\/providers\/(?!shared\/)[^/]+\//,
  /^(bench|test|sdk)\//,
];
/** What others install is held to the rules of the service. */
const PUBLISHED = /^(sdk|web)\//;

/** Lists what breaks a style rule in one file as `rule: path:line`, in the order of the lines. */
export function findingsIn(source: Source, tables: readonly string[]): string[] {
  const { path, text } = source;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const findings: { rule: string; line: number }[] = [];
  const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;

  for (const { index } of text.matchAll(/(?:\/\/|\*).*\b(?:T[O]DO|F[I]XME)\b/g)) {
    findings.push({ rule: 'to-do', line: lineAt(index) });
  }
  for (const { index } of text.matchAll(/@ts-(?:ignore|nocheck)|@ts-expect-error *(?:\*\/)?$/gm)) {
    findings.push({ rule: 'suppression', line: lineAt(index) });
  }
  for (const { index } of text.matchAll(LONG_LINE)) {
    findings.push({ rule: 'long-line', line: lineAt(index) });
  }
  for (const { pos, end } of text.search(DOCUMENT_REFERENCE) < 0 ? [] : commentsIn(file)) {
    for (const { index } of text.slice(pos, end).matchAll(DOCUMENT_REFERENCE)) {
      findings.push({ rule: 'document-reference', line: lineAt(pos + index) });
    }
  }
  const visit = (node: ts.Node): void => {
    for (const rule of [...rulesBrokenBy(node, path), ...sqlIn(node, path, tables)])
      findings.push({ rule, line: lineAt(node.getStart(file)) });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return findings
    .sort((one, other) => one.line - other.line)
    .map(({ rule, line }) => `${rule}: ${path}:${line}`);
}

/** Lists every comment of the file once. Comments lie between tokens, hence the walk over them. */
function commentsIn(file: ts.SourceFile): ts.CommentRange[] {
  const comments = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return;
    for (const ranges of [ts.getTrailingCommentRanges, ts.getLeadingCommentRanges]) {
      for (const range of ranges(file.text, node.pos) ?? []) comments.set(range.pos, range);
    }
    node.getChildren(file).forEach(visit);
  };
  visit(file);
  return [...comments.values()];
}

function rulesBrokenBy(node: ts.Node, path: string): string[] {
  const broken: string[] = [];
  if (takesEnv(node) && !MAY_READ_ENV.test(path)) broken.push('process-env');
  if (isSpreadOfLiteral(node)) broken.push('spread-of-literal');
  if (asksForDecimals(node)) broken.push('decimals-of-a-format');
  if (SERVICE.test(path) || PUBLISHED.test(path)) {
    if (isCast(node)) broken.push('cast');
    if (isUndocumented(node) && !path.startsWith('migrations/')) broken.push('docstring');
  }
  if (PURE.test(path) && isImpure(node)) broken.push('clock-or-chance');
  if (namesProvider(node) && !MAY_NAME_PROVIDERS.some((may) => may.test(path))) {
    broken.push('provider-name');
  }
  return broken;
}

/** Whether the node is a provider's name, by itself or as the name of a property. */
function namesProvider(node: ts.Node): boolean {
  const isName = ts.isStringLiteralLike(node) || ts.isIdentifier(node);
  return isName && PROVIDERS.some((name) => name === node.text);
}

/** Whether the node is `const { env } = process`, which the linter takes for harmless. */
function takesEnv(node: ts.Node): boolean {
  if (!ts.isVariableDeclaration(node) || !ts.isObjectBindingPattern(node.name)) return false;
  const names = node.name.elements.map((item) => (item.propertyName ?? item.name).getText());
  return node.initializer?.getText() === 'process' && names.includes('env');
}

/** Whether the node reads from a format how many decimals a currency has: browsers differ in it. */
function asksForDecimals(node: ts.Node): boolean {
  const name = 'maximumFractionDigits';
  if (ts.isPropertyAccessExpression(node)) return node.name.text === name;
  return ts.isBindingElement(node) && (node.propertyName ?? node.name).getText() === name;
}

/** Whether the node is `...{ a }` or `...[a]`, which TypeScript does not check for excess names. */
function isSpreadOfLiteral(node: ts.Node): boolean {
  if (!ts.isSpreadAssignment(node) && !ts.isSpreadElement(node)) return false;
  let { expression } = node;
  while (ts.isParenthesizedExpression(expression) || ts.isAsExpression(expression)) {
    expression = expression.expression;
  }
  return ts.isObjectLiteralExpression(expression) || ts.isArrayLiteralExpression(expression);
}

function isCast(node: ts.Node): boolean {
  if (ts.isTypeAssertionExpression(node)) return true;
  return ts.isAsExpression(node) && node.type.getText() !== 'const';
}

function isUndocumented(node: ts.Node): boolean {
  if (!ts.isFunctionDeclaration(node)) return false;
  const isExported = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  const isOverload = node.body === undefined;
  return isExported === true && !isOverload && ts.getJSDocCommentsAndTags(node).length === 0;
}

function isImpure(node: ts.Node): boolean {
  if (ts.isNewExpression(node)) {
    return node.expression.getText() === 'Date' && (node.arguments?.length ?? 0) === 0;
  }
  return (
    ts.isPropertyAccessExpression(node) &&
    /^(Date\.now|Math\.random|performance\.now|crypto\.random\w+)$/.test(node.getText())
  );
}

/** Recognizes SQL: the words of a statement before the name of a table, and the query builder. */
function sqlIn(node: ts.Node, path: string, tables: readonly string[]): string[] {
  if (MAY_SPEAK_SQL.test(path)) return [];
  if (ts.isCallExpression(node)) {
    const { expression, arguments: given } = node;
    const isRaw = ts.isPropertyAccessExpression(expression) && expression.name.text === 'raw';
    const [first] = given;
    const isBuilder =
      ts.isIdentifier(expression) &&
      /^(db|tx|trx|knex)$/.test(expression.text) &&
      first !== undefined &&
      ts.isStringLiteralLike(first) &&
      tables.some((table) => first.text === table || first.text.startsWith(`${table} as `));
    return isRaw || isBuilder ? ['sql'] : [];
  }
  const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateTail(node);
  if (!isText) return [];
  const named = node.text.matchAll(/\b(?:from|join|into|update|table)\s+(\w+)\b/gi);
  return [...named].some(([, table = '']) => tables.includes(table.toLowerCase())) ? ['sql'] : [];
}
