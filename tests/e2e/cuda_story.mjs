// A barrier deleted from layer_norm.cu, an ordinary CUDA file with a header beside it: both accesses of the race are
// underlined, the quick fix puts a barrier back, and the tick appears. Then a kernel is given its launch with one click.
import assert from 'node:assert/strict';

import { tell } from './page.mjs';

const CUDA = 'cuda/layer_norm.cu';
const BARE = 'cuda/scale.cu';
const GIVE = 'Rewright: give a launch';
const FIXED = /Insert `__syncthreads\(\);`/;

await tell('cuda', async (page) => {
  await page.open(CUDA);
  const right = page.onDisk(CUDA);
  const barrier = 1 + right.split('\n').findIndex((line) => line.includes('__syncthreads();'));
  await page.lens('Rewright: ✓ checked'); // the line is too long for a verdict after it
  assert.deepEqual(await page.underlined(), []);
  await page.shot('1-opened');

  await page.clearLine(barrier);
  await page.timed('saved to race', async () => {
    await page.save();
    await page.squiggles().first().waitFor();
  });
  const racing = await page.underlinedLines(2);
  await page.lens('Rewright: ✗ refuted');
  await page.shot('2-race');
  assert.match(racing[0], /partial\[warp\] = sum/);
  assert.match(racing[1], /total \+= partial\[w\]/);
  const hover = await page.hover(racing[1], /data race: `partial\[\d+\]` is written by thread \d+ and read by thread \d+/);
  assert.match(hover, /layer_norm\.cu\(\d+, \d+\)/, 'the other access can be gone to');
  await page.shot('3-race-told');

  const [row, column] = page.placeOf(right, 'partial[warp] = sum');
  await page.goTo(row, column + 3);
  await page.timed('race to fix', () => page.fixes(FIXED));
  await page.shot('4-offered');
  await page.choose(FIXED);
  await page.timed('saved to tick', async () => {
    await page.save();
    await page.lens('Rewright: ✓ checked');
  });
  await page.underlinedLines(0);
  assert.equal(page.onDisk(CUDA).split('__syncthreads();').length, right.split('__syncthreads();').length);
  await page.shot('5-fixed');

  await page.open(BARE);
  await page.lens(GIVE);
  await page.click(GIVE);
  await page.line('// rewright: launch grid(').first().waitFor();
  await page.save();
  await page.hint('void scale', '✓ checked');
  await page.lens('Rewright: ✓ checked');
  await page.shot('6-launched');
});
