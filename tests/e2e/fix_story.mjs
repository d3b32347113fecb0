// A rule without its precondition is refuted; the quick fix that was found for it is chosen, and the tick appears.
import assert from 'node:assert/strict';

import { tell } from './page.mjs';

const FILE = 'xla/dynamic_slice.rw';
const RULE = 'rule dynamic_slice_of_full_length';
const WRONG = 'dynamic_slice(X, start, length) => X';
const WHERE = '\n  where length == n\n}';
const FOUND = /Add `where n == length` \(keeps (\d+) of \1 small inputs\)/;

await tell('fix', async (page) => {
  await page.open(FILE);
  await page.hint(RULE, '✓ all ranks and sizes');

  const lacking = await page.replace(page.onDisk(FILE), WHERE, '}');
  await page.save();
  const [line] = await page.underlinedLines(1);
  assert.ok(line.includes(WRONG), line);
  await page.hint(RULE, '✗ refuted');
  await page.shot('1-refuted');

  const [row, column] = page.place(lacking, '=> X');
  await page.goTo(row, column + 3);
  await page.timed('refuted to fix', () => page.fixes(FOUND));
  await page.shot('2-offered');
  await page.choose(FOUND);
  await page.line('where n == length').first().waitFor();

  await page.timed('saved to proved', async () => {
    await page.save();
    await page.hint(RULE, '✓ all ranks and sizes');
  });
  await page.underlinedLines(0);
  await page.shot('3-proved');
});
