// Loop nests in C files that nothing declares: a bound broken and mended, another order inserted from the lens, already
// proved, and a race of an OpenMP loop whose clause was lost.
import assert from 'node:assert/strict';

import { tell } from './page.mjs';

const SWEEPS = 'nests/sweeps.c';
const PRODUCT = 'nests/product.c';
const NORMS = 'nests/norms.c';
const TILED = 'Rewright: insert it tiled by 32';
const MENDED = /Run `int i = ii; i < min\(ii \+ 32, N\); i\+\+`/;

await tell('loops', async (page) => {
  await page.open(SWEEPS);
  const right = page.onDisk(SWEEPS);
  await page.hint('transform tiled of sweeps', '✓ all sizes, T, N >= 1');
  assert.deepEqual(await page.underlined(), []);
  await page.shot('1-opened');

  await page.replace(right, 'i < min(ii + 32', 'i < min(ii + 31');
  await page.timed('saved to missing', async () => {
    await page.save();
    await page.hint('transform tiled of sweeps', '✗');
  });
  const [missing] = await page.underlinedLines(1);
  assert.match(missing, /A\[i\]\[j\] = A\[i - 1\]\[j\]/);
  await page.hover(missing, /at t = 0, i = 32, j = 1 is never executed, nor are 31 more \(first at T = 1, N = 33\)/);
  await page.shot('2-missing');

  await page.goTo(18, 12);
  await page.timed('missing to fix', () => page.fixes(MENDED));
  await page.shot('3-offered');
  await page.choose(MENDED);
  await page.timed('saved to tick', async () => {
    await page.save();
    await page.hint('transform tiled of sweeps', '✓ all sizes, T, N >= 1');
  });
  assert.equal(page.onDisk(SWEEPS), right);
  await page.underlinedLines(0);
  await page.shot('4-mended');

  await page.open(PRODUCT);
  await page.lens(TILED);
  await page.timed('lens to tick', async () => {
    await page.click(TILED);
    await page.line('#pragma rewright transform product_tiled of product').first().waitFor();
    await page.save();
    await page.hint('transform product_tiled of product', '✓ all sizes, N >= 1');
  });
  assert.match(page.onDisk(PRODUCT), /\+= 32/);
  await page.shot('5-tiled');

  await page.open(NORMS);
  await page.hint('void norms', '✓ all sizes, N >= 1');
  await page.replace(page.onDisk(NORMS), ' private(s)', '');
  await page.timed('saved to race', async () => {
    await page.save();
    await page.hint('void norms', '✗');
  });
  const racing = await page.underlinedLines(1);
  await page.hover(racing[0], /race: .*which `parallel for i` does not order.*`private\(s\)` mends it/s);
  await page.shot('6-race');
});
