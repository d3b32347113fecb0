// A graph on a mesh: which ranks hold which part is shown as a grid; an all-reduce is deleted and put back by the fix; in
// a text that JAX printed, a slice at a wrong offset is underlined there, and leads to the line of the model in Python.
import assert from 'node:assert/strict';

import { tell } from './page.mjs';

const RULES = 'graphs/mlp.rw';
const REFINE = 'refine mlp_tp2 of mlp';
const PROVED = '✓ all sizes, tp = 2';
const SUMMED = 'y = all_reduce(add, z @ b, over = tp)';
const FIX = /Insert `all_reduce\(add, …, over = tp\)`/;
const GRID = [
  ['dp', 'tp = 0', 'tp = 1', 'tp = 2', 'tp = 3'],
  ['dp = 0', '[0..m/2, 0..h/4]', '[0..m/2, h/4..h/2]', '[0..m/2, h/2..3*h/4]', '[0..m/2, 3*h/4..h]'],
  ['dp = 1', '[m/2..m, 0..h/4]', '[m/2..m, h/4..h/2]', '[m/2..m, h/2..3*h/4]', '[m/2..m, 3*h/4..h]'],
];

const PRINTED = 'graphs/jax/rotary_sp.mlir';
const NAMED = 'graphs/jax/attention.rw';
const ROTARY = 'refine rotary_sp of rotary';
const SLICE = '%13 = stablehlo.dynamic_slice %arg5, %12, %c_7';
const FROM_ZERO = '%13 = stablehlo.dynamic_slice %arg5, %c_5, %c_7';

await tell('graph', async (page) => {
  await page.open(RULES);
  const right = page.onDisk(RULES);
  await page.hint(REFINE, PROVED);
  assert.deepEqual(await page.underlined(), []);

  const [meshed] = page.placeOf(right, 'graph mlp_dp_tp');
  await page.goTo(meshed + 1, 3);
  await page.hint('refine mlp_dp_tp of mlp', '✓ all sizes, dp = 2, tp = 4');
  const held = await page.described(/Held as shard\(0, dp\), shard\(1, tp\) of max\(x @ a, 0\) in mlp/);
  assert.deepEqual(held.split('\n').map((line) => line.trim().split('\t')).filter((cells) => cells.length > 1), GRID);
  await page.shot('1-grid');
  await page.page.keyboard.press('Escape');

  const [summed] = page.placeOf(right, SUMMED);
  await page.goTo(summed, 3);
  await page.page.keyboard.press('Shift+End');
  await page.page.keyboard.type('y = z @ b');
  await page.timed('saved to parts', async () => {
    await page.save();
    await page.hint(REFINE, '✗ refuted');
  });
  const [parts] = await page.underlinedLines(1);
  assert.ok(parts.startsWith('y = z @ bpartial('), parts); // with how the ranks hold it behind
  await page.hover('y = z @ b', /rank 0 holds the part 0 \.\. h\/2 of the sum over h, which is summed on no later line/);
  await page.shot('2-parts');

  await page.goTo(summed, 8);
  await page.timed('parts to fix', () => page.fixes(FIX));
  await page.shot('3-offered');
  await page.choose(FIX);
  await page.timed('saved to tick', async () => {
    await page.save();
    await page.hint(REFINE, PROVED);
  });
  assert.equal(page.onDisk(RULES), right);
  await page.underlinedLines(0);
  await page.shot('4-mended');

  await page.open(NAMED);
  await page.hint(ROTARY, '✓ sizes as written, sp = 4');
  await page.open(PRINTED);
  const printed = page.onDisk(PRINTED);
  await page.replace(printed, SLICE, FROM_ZERO);
  await page.timed('saved to offset', async () => {
    await page.save();
    await page.squiggles().first().waitFor();
  });
  const [sliced] = await page.underlinedLines(1);
  assert.ok(sliced.startsWith(FROM_ZERO), sliced);
  const said = await page.hover(FROM_ZERO, /here rank 1 has 0 \.\. 4 of 16, where 4 \.\. 8 belongs/);
  assert.match(said, /models\.py\(94, 12\): the model says this here/);
  await page.shot('5-offset');
  await page.page.locator('.monaco-hover:visible a', { hasText: 'models.py(94, 12)' }).first().click();
  await page.page.locator('.tab.active', { hasText: 'models.py' }).waitFor();
  await page.line('dynamic_slice').first().waitFor();
  await page.page.locator('.statusbar-item', { hasText: 'Ln 94, Col 12' }).first().waitFor();
  await page.shot('6-model');

  await page.open(PRINTED);
  await page.replace(page.onDisk(PRINTED), FROM_ZERO, SLICE);
  await page.save();
  await page.underlinedLines(0);
  assert.equal(page.onDisk(PRINTED), printed);
  await page.open(NAMED);
  await page.hint(ROTARY, '✓ sizes as written, sp = 4');
});
