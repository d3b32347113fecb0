// A barrier deleted from a kernel in CUDA: both accesses of the race are underlined in the .cu file, whether it was saved
// or only the .rw file that names it; put back, nothing is underlined.
import assert from 'node:assert/strict';

import { tell } from './page.mjs';

const CUDA = 'kernels/reduce.cu';
const NAMED_BY = 'kernels/reduce.rw';

await tell('kernel', async (page) => {
  await page.open(CUDA);
  const right = page.onDisk(CUDA);
  const barrier = 1 + right.split('\n').findIndex((line) => line.includes('__syncthreads();'));
  await page.status(/\d+ checked/);
  assert.deepEqual(await page.underlined(), []);
  await page.shot('1-opened');

  await page.clearLine(barrier);
  await page.timed('saved to race', async () => {
    await page.save();
    await page.squiggles().first().waitFor();
  });
  const racing = await page.underlinedLines(2);
  await page.shot('2-race');
  assert.match(racing[0], /^partial\[t\] = /);
  assert.match(racing[1], /partial\[t \+ half\]/);
  const hover = await page.hover(racing[1], /data race: `partial\[\d+\]` is written by thread \d+ and read by thread \d+/);
  assert.match(hover, /reduce\.cu\(11, 3\)/, 'the other access can be gone to');
  await page.shot('3-race-told');

  await page.undo();
  await page.timed('saved to no race', async () => {
    await page.save();
    await page.underlinedLines(0);
  });
  assert.equal(page.onDisk(CUDA), right);
  await page.shot('4-fixed');

  await page.clearLine(barrier);
  await page.open(NAMED_BY);
  await page.goTo(1, 1);
  await page.page.keyboard.type('// ');
  await page.page.keyboard.press('Enter');
  await page.save();
  await page.open(CUDA);
  assert.deepEqual(await page.underlinedLines(2), racing);
  assert.equal(page.onDisk(CUDA), right);
  await page.shot('5-unsaved');
});
