// A CUDA file as it stands in a public repository, without a word for us: the lens shows the launch that was found and
// what is free, vector accesses are wrong for some sizes only, one key states what they need, and the tick appears.
import assert from 'node:assert/strict';

import { tell } from './page.mjs';

const CUDA = 'cuda/bias_gelu.cu';
const KERNEL = '__global__ void bias_gelu';
const LAUNCH = '<<<rows, 256>>> · rows, cols free';
const FIXED = /Require `cols % 4 == 0`/;

await tell('public', async (page) => {
  await page.timed('opened to lens', async () => {
    await page.open(CUDA);
    await page.lens(`Rewright: ≈ conditional · ${LAUNCH}`);
  });
  await page.hint(KERNEL, '≈ checked, provided that cols % 4 == 0');
  assert.deepEqual(await page.underlined(), [], 'nothing is called wrong that only sizes make wrong');
  const warned = await page.underlinedLines(2, page.warnings());
  assert.match(warned[0], /float4 v = /);
  await page.shot('1-opened');

  await page.hover(warned[0], /wrong if `?cols % 4 != 0`?: misaligned/, page.warnings());
  await page.shot('2-condition-told');

  const [row, column] = page.placeOf(page.onDisk(CUDA), '*reinterpret_cast<float4 *>(&row[c]);');
  await page.goTo(row, column + 1);
  await page.timed('condition to fix', () => page.fixes(FIXED));
  await page.shot('3-offered');
  await page.choose(FIXED);
  await page.line('// rewright: requires cols % 4 == 0').first().waitFor();
  await page.timed('saved to tick', async () => {
    await page.save();
    await page.hint(KERNEL, '✓ checked');
  });
  await page.lens(`Rewright: ✓ checked · ${LAUNCH}`);
  await page.underlinedLines(0, page.warnings());
  await page.shot('4-tick');
});
