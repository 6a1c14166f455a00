import { parseArgs } from 'node:util';
import { PROVIDERS } from '../domain/payment.ts';
import { askSandbox, runCommand } from './developer/ask.ts';
import { SaleReport } from './developer/sales.ts';

const USAGE =
  'Usage: npm run sale -- --for ada --amount 12.50 ' +
  `[--provider ${PROVIDERS.join('|')}] [--currency EUR]`;

await runCommand(async () => {
  const report = SaleReport.parse(await askSandbox('/sales', options()));
  const { balance } = report;
  return [
    `${report.sale} (payment ${report.paymentId}).`,
    `${report.summary}${balance === null ? '' : ` The balance is ${balance} points now.`}`,
    ...report.steps.map((step) => `  ${step}`),
    `Transaction  ${report.transactionId}`,
    `Run          ${report.runUrl ?? 'not known'}`,
  ].join('\n');
});

function options(): Record<string, string> {
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({
      options: { for: text, amount: text, provider: text, currency: text },
    });
    if (values.amount === undefined) throw new Error('The amount is missing.');
    return Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      ),
    );
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error} ${USAGE}`);
  }
}
