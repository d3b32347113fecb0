// A file is checked on command only: one rule at the cursor, the others as tests; a failing one has its message beside its line, and its code opens its page.
import assert from 'node:assert/strict';

import { tell } from './page.mjs';

const FILE = 'xla/reverse.rw';
const RULE = 'rule reverse_of_reverse';
const RIGHT = '=> X';

await tell('control', async (page) => {
  await page.open(FILE);
  await page.lens(/Rewright: \d+ not checked · check/);
  const text = page.onDisk(FILE);
  const [row] = page.placeOf(text, RULE);
  await page.goTo(row + 2, 1);
  await page.command('Rewright: Check at Cursor');
  await page.hint(RULE, '✓ all ranks and sizes');
  await page.goTo(1, 1);
  await page.lens(/Rewright: 1 proved, \d+ not checked · check/);
  await page.shot('1-one-checked');

  const broken = text.indexOf(`${RIGHT}\n`, text.indexOf(RULE));
  const lines = text.slice(0, broken).split('\n');
  await page.goTo(lines.length, lines.at(-1).length + 1);
  await page.page.keyboard.press('Shift+End');
  await page.page.keyboard.type('=> reverse(X, A)');
  await page.command('Test: Run Tests in Current File');
  await page.timed('run to message', () => page.squiggles().first().waitFor());
  await page.goTo(1, 1);
  await page.lens(/Rewright: \d+ proved, 1 refuted · check/);
  await page.command('Testing: Focus on Test Explorer View');
  const results = page.page.locator('.test-output-peek-tree .monaco-list-row');
  await results.filter({ hasText: /reverse_of_reverse.*RW201/ }).first().waitFor();
  await page.shot('2-tests');

  await page.problems('RW201');
  await page.page.locator('.markers-panel .monaco-list-row a', { hasText: 'RW201' }).first().click();
  await page.page.locator('.tab.active', { hasText: 'RW201.md' }).waitFor();
  await page.shot('3-page');
  await page.command('Rewright: Open Manual');
  await page.page.locator('.tab.active', { hasText: 'Preview index.md' }).waitFor();
  await page.page.waitForTimeout(1500);
  await page.shot('4-manual');
});
