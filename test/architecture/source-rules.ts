import ts from 'typescript';

export type Source = { path: string; text: string };

const MAX_FILE_LINES = 250;
/** Tests may be longer: tables of cases are read row by row. */
const MAX_TEST_LINES = 400;
const MAX_FUNCTION_LINES = 70;
const MAX_PARAMETERS = 4;
/** A line wider than the formatter's 100 columns: it breaks neither comments nor strings. */
const LONG_LINE = /^.{101,}$/gmu;
/** A section of a document that is not in the repository. */
const DOCUMENT_REFERENCE =
  /\b(?:contract|spec|specification)(?:'s|,)?[\s*]+(?:section[\s*]+)?\d|\(\d+\.\d+\)/gi;

const SERVICE =
  /^((config|wiring)\.ts|(domain|db|gateways|workflows|activities|api|worker|migrations|ops)\/)/;
const MAY_READ_ENV = /^(config\.ts|web\/build\.ts|(sandbox|bench|test)\/)/;
const MAY_SPEAK_SQL = /^(db|migrations|bench|sandbox|test)\//;
const PURE = /^domain\//;
/** What others install is held to the rules of the service. */
const PUBLISHED = /^(sdk|web)\//;
/** Tools import their configuration by the default export, and React a page that it loads later. */
const MAY_EXPORT_DEFAULT = /vi(te|test)\.config\.ts$|^web\/.*\.tsx$/;
const isTest = (path: string) => path.startsWith('test/');

/** Lists what breaks a style rule in one file as `rule: path:line`, in the order of the lines. */
export function findingsIn(source: Source, tables: readonly string[]): string[] {
  const { path, text } = source;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const findings: { rule: string; line: number }[] = [];
  const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;

  const maxLines = isTest(path) ? MAX_TEST_LINES : MAX_FILE_LINES;
  if (lineAt(text.trimEnd().length) > maxLines) findings.push({ rule: 'long-file', line: 1 });
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
    const rules = [
      ...rulesBrokenBy(node, path),
      ...sqlIn(node, path, tables),
      ...sizeOf(node, file),
    ];
    for (const rule of rules) findings.push({ rule, line: lineAt(node.getStart(file)) });
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
  if (isProcessEnv(node) && !MAY_READ_ENV.test(path)) broken.push('process-env');
  if (node.kind === ts.SyntaxKind.AnyKeyword) broken.push('any');
  if (ts.isEnumDeclaration(node)) broken.push('enum');
  if (isSpreadOfLiteral(node)) broken.push('spread-of-literal');
  if (isDefaultExport(node) && !MAY_EXPORT_DEFAULT.test(path)) broken.push('default-export');
  if (SERVICE.test(path) || PUBLISHED.test(path)) {
    if (isCast(node)) broken.push('cast');
    if (ts.isNonNullExpression(node)) broken.push('non-null');
    if (isUndocumented(node) && !path.startsWith('migrations/')) broken.push('docstring');
  }
  if (PURE.test(path) && isImpure(node)) broken.push('clock-or-chance');
  return broken;
}

function isProcessEnv(node: ts.Node): boolean {
  if (ts.isImportSpecifier(node)) {
    const from = node.parent.parent.parent.moduleSpecifier.getText();
    return /^.(node:)?process.$/.test(from) && (node.propertyName ?? node.name).text === 'env';
  }
  if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name)) {
    const names = node.name.elements.map((item) => (item.propertyName ?? item.name).getText());
    return node.initializer?.getText() === 'process' && names.includes('env');
  }
  if (ts.isElementAccessExpression(node)) {
    return (
      /^process$/.test(node.expression.getText()) && /env/.test(node.argumentExpression.getText())
    );
  }
  // The name first: the text of a long chain of calls is as long as its tree is deep.
  return (
    ts.isPropertyAccessExpression(node) &&
    node.name.text === 'env' &&
    node.expression.getText() === 'process'
  );
}

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true;
  if (ts.isExportSpecifier(node)) return node.name.text === 'default';
  const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : [];
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword);
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

function sizeOf(node: ts.Node, file: ts.SourceFile): string[] {
  if (isTest(file.fileName) || !ts.isFunctionLike(node)) return [];
  const first = file.getLineAndCharacterOfPosition(node.getStart(file)).line;
  const last = file.getLineAndCharacterOfPosition(node.end).line;
  const rules: string[] = [];
  if (last - first + 1 > MAX_FUNCTION_LINES) rules.push('long-function');
  if (node.parameters.length > MAX_PARAMETERS) rules.push('many-parameters');
  return rules;
}
