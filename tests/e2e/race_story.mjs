// A race in a kernel is opened in the panel: what both threads do between two barriers, in order, with their lines; the
// access that collides is marked in words as well; light and dark; a click goes to the line; put back, the panel says so.
import assert from 'node:assert/strict';

import { tell } from './page.mjs';

const CUDA = 'kernels/reduce.cu';

await tell('race', async (page) => {
  await page.open(CUDA);
  const right = page.onDisk(CUDA);
  const barrier = 1 + right.split('\n').findIndex((line) => line.includes('__syncthreads();'));
  await page.clearLine(barrier);
  await page.timed('saved to race', async () => {
    await page.save();
    await page.squiggles().first().waitFor();
  });
  await page.click('Show the counterexample');
  const panel = await page.webview();
  await panel.locator('h1', { hasText: 'data race' }).waitFor();
  const timeline = panel.locator('table.timeline');
  assert.equal(await timeline.locator('thead th').count(), 3, 'the line, and two threads');
  const collide = timeline.locator('td.collides');
  assert.equal(await collide.count(), 2);
  assert.match((await collide.allInnerTexts()).join(), /✗ .*partial\[\d+\][^]*✗ .*partial\[\d+\]/);
  assert.match(await timeline.innerText(), /start of the kernel[^]*line 11[^]*no barrier between the marked accesses/);
  await page.page.waitForTimeout(500);
  await page.shot('1-dark');
  await page.command('Preferences: Toggle between Light/Dark Themes');
  await page.page.waitForTimeout(1000);
  await page.shot('2-light');

  await timeline.locator('tbody button, tbody a').last().click();
  await page.page.locator('.tab.active', { hasText: 'reduce.cu' }).waitFor();
  await page.undo();
  await page.save();
  await panel.locator('.trouble', { hasText: 'has no counterexample now' }).waitFor();
  await page.shot('3-mended');
});
