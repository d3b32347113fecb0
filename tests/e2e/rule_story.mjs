// A proved rule carries a tick; broken and saved, it is underlined where it is wrong and tells a counterexample; fixed, the tick is back.
import assert from 'node:assert/strict';

import { tell } from './page.mjs';

const FILE = 'xla/slice.rw';
const RULE = 'rule slice_of_slice';
const RIGHT = '=> slice(X, start + inner_start, limit + inner_start)';
const WRONG = '=> slice(X, start, limit)';

await tell('rule', async (page) => {
  const [row, column] = page.place(page.onDisk(FILE), RIGHT);
  await page.timed('opened to proved', async () => {
    await page.open(FILE);
    await page.goTo(row, column);
    await page.hint(RULE, '✓ all ranks and sizes');
  });
  assert.deepEqual(await page.underlined(), []);
  await page.status(/\d+ proved/);
  await page.shot('1-proved');

  const broken = await page.replace(page.onDisk(FILE), RIGHT, WRONG);
  await page.status(/\d+ proved, 1 not checked/);
  await page.timed('saved to refuted', async () => {
    await page.save();
    await page.squiggles().first().waitFor();
  });
  const [line] = await page.underlinedLines(1);
  assert.ok(line.includes(WRONG), line);
  await page.hint(RULE, '✗ refuted');
  await page.shot('2-refuted');
  const hover = await page.hover(WRONG, /the left reads X\[1\] = \d+, the right reads X\[0\] = \d+/);
  assert.match(hover, /[Cc]ounterexample, replayed/);
  assert.match(hover, /→ \d+[^]*→ \d+/, 'the cell that differs is marked on both sides');
  await page.shot('3-counterexample');
  await page.click('Show the counterexample');
  const panel = await page.webview();
  await panel.locator('h1', { hasText: /the left reads X\[1\] = \d+, the right reads X\[0\] = \d+/ }).waitFor();
  assert.equal(await panel.locator('.drawing td.differs').count(), 2);
  assert.ok(await panel.locator('.drawing td.passed').count() > 4, 'the way of the element leads through each value');
  assert.ok(await panel.locator('.drawing svg path').count() > 4, 'and is drawn');
  assert.ok(await panel.locator('button', { hasText: 'Pin as example' }).isVisible());
  await page.shot('4-panel');
  const problems = await page.problems('RW201');
  assert.match(problems.join(), new RegExp(`the left reads[^]*\\[Ln ${row}, `));
  await page.shot('5-problems');

  await page.replace(broken, WRONG, RIGHT);
  await page.timed('saved to proved', async () => {
    await page.save();
    await page.hint(RULE, '✓ all ranks and sizes');
  });
  await page.underlinedLines(0);
  await panel.locator('.trouble', { hasText: 'has no counterexample now: ✓ all ranks and sizes' }).waitFor();
  await page.shot('6-fixed');
});
