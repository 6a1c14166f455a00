import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';

type Simulator = { addMerchant(merchant: { name: string }): { id: string } };
/** Data created in a simulator; `read` returns what its API says about them. */
export type Sample<S> = { merchantId: string; read: (simulator: S) => Promise<unknown> };

/** Tests what holds for the state file of every simulator. */
export function testStateFile<S extends Simulator>(options: {
  stateFile: () => string;
  start: () => Promise<S>;
  populate: (simulator: S) => Promise<Sample<S>>;
}): void {
  const { stateFile, start, populate } = options;

  it('continues the sequence of ids, so that no id is used twice', async () => {
    const { merchantId } = await populate(await start());
    const after = await start();
    expect(after.addMerchant({ name: 'Two' }).id).not.toBe(merchantId);
  });

  it('drops an unfinished last line, and keeps the lines before it', async () => {
    const before = await start();
    const { read } = await populate(before);
    const expected = await read(before);
    const whole = readFileSync(stateFile(), 'utf8');
    writeFileSync(stateFile(), `${whole}{"changes":[{"kind":"merchant","value":{"id":"HALF`);
    expect(await read(await start())).toEqual(expected);
    expect(readFileSync(stateFile(), 'utf8')).not.toContain('HALF');
  });

  it('throws an error that says how to start over when another line is damaged', async () => {
    await populate(await start());
    const lines = readFileSync(stateFile(), 'utf8').split('\n');
    writeFileSync(stateFile(), lines.toSpliced(1, 1, '{"changes":').join('\n'));
    await expect(start()).rejects.toThrow('line 2. Start over with: npm start -- --fresh');
  });

  it('is readable only by its owner, since it contains tokens', async () => {
    await populate(await start());
    expect(statSync(stateFile()).mode & 0o777).toBe(0o600);
  });
}
