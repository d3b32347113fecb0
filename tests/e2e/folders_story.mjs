// Two folders in one window: the files of both are checked, each by the settings of its own.
import fs from 'node:fs';
import path from 'node:path';

import { tell } from './page.mjs';

const WRONG = 'rule wrong<T: any> {\n  axes A\n  map n on A\n  tensor X: T[A: n]\n\n  X => reverse(X, A)\n}\n';

await tell('folders', async (page) => {
  const other = path.join(path.dirname(page.folder), 'other');
  fs.mkdirSync(other);
  fs.writeFileSync(path.join(other, 'wrong.rw'), WRONG);
  const both = path.join(path.dirname(page.folder), 'both.code-workspace');
  fs.writeFileSync(both, JSON.stringify({ folders: [{ path: page.folder }, { path: other }] }));
  const address = new URL(page.page.url());
  await page.show(`${address.origin}/?workspace=${encodeURIComponent(both)}`);
  await page.open('wrong.rw');
  await page.hint('rule wrong', '✗ refuted');
  await page.open('xla/slice.rw');
  await page.hint('rule slice_of_everything', '✓ all ranks and sizes');
  await page.command('Rewright: Check Workspace');
  await page.command('Rewright: List What Is Not as Expected');
  await page.page.locator('.quick-input-list .monaco-list-row', { hasText: 'wrong' }).first().waitFor();
  await page.shot('1-both');
});
