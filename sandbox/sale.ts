import { parseArgs } from 'node:util';
import { PROVIDERS } from '../domain/payment.ts';
import { askSandbox, runCommand } from './developer/ask.ts';
import { PastSalesReport } from './developer/past-sales.ts';
import { SaleReport } from './developer/sales.ts';

const USAGE =
  'Usage: npm run sale -- --for ada --amount 12.50 ' +
  `[--provider ${PROVIDERS.join('|')}] [--currency EUR]; or with --days 90 for a café's past days`;

await runCommand(async () => {
  const asked = options();
  if (asked === undefined) return USAGE;
  return asked.days === undefined ? one(asked) : many(asked.days);
});

async function many(days: string): Promise<string> {
  const { sales, known, points } = PastSalesReport.parse(await askSandbox('/past-sales', { days }));
  return (
    `${sales} sales of the last ${days} days were rung, ${known} of them of people whom the shop ` +
    `knows. They earned ${points} points.`
  );
}

async function one(asked: Record<string, string>): Promise<string> {
  const report = SaleReport.parse(await askSandbox('/sales', asked));
  const { balance } = report;
  return [
    `${report.sale} (payment ${report.paymentId}).`,
    `${report.summary}${balance === null ? '' : ` The balance is ${balance} points now.`}`,
    ...report.steps.map((step) => `  ${step}`),
    `Transaction  ${report.transactionId}`,
    `Run          ${report.runUrl ?? 'not known'}`,
  ].join('\n');
}

/** What is asked for, or nothing if that is help. */
function options(): Record<string, string> | undefined {
  try {
    const text = { type: 'string' } as const;
    const flag = { type: 'boolean', short: 'h' } as const;
    const { help, ...values } = parseArgs({
      options: { for: text, amount: text, provider: text, currency: text, days: text, help: flag },
    }).values;
    if (help) return undefined;
    if (values.amount === undefined && values.days === undefined)
      throw new Error('The amount is missing.');
    return Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      ),
    );
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error} ${USAGE}`);
  }
}
