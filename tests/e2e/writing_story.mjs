// A rule from nothing, by what is offered and nothing typed that is offered; then a counterexample pinned, a name
// renamed and the text brought into its layout. In the light theme.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { tell } from './page.mjs';

const FILE = 'nothing.rw';

await tell('writing', async (page) => {
  const { keyboard } = page.page;
  fs.writeFileSync(path.join(page.folder, FILE), '');
  await page.open(FILE);
  const rule = await page.offered('rule');
  await page.shot('1-offered');
  await rule.click();
  await page.line('rule name').first().waitFor();
  await keyboard.type('turned');
  await page.shot('2-snippet');
  const left = await page.lineWith('=>');
  await page.goTo(left, 1);
  await keyboard.press('Home');
  await keyboard.press('Shift+End');
  await keyboard.type('rev');
  const reverse = await page.offered('reverse');
  await page.shot('3-operator');
  await reverse.click();
  await keyboard.press('End');
  await keyboard.type(' => X');
  await page.page.locator('.parameter-hints-widget').waitFor({ state: 'hidden' });
  await page.save();
  await page.squiggles().first().waitFor();
  await page.hint('rule turned', '✗ refuted');
  await page.shot('4-refuted');

  await page.click('Show the counterexample');
  const panel = await page.webview();
  await panel.locator('h1', { hasText: 'the left reads' }).waitFor();
  await page.page.waitForTimeout(500);
  await page.shot('5-panel');
  await panel.locator('button', { hasText: 'Pin as example' }).click();
  await page.line('example').first().waitFor();
  await page.shot('6-pinned');

  await page.line('tensor X').first().click();
  await page.goTo(await page.lineWith('tensor X'), 10);
  await keyboard.press('F2');
  await page.page.locator('.rename-box input').fill('Turning');
  await keyboard.press('Enter');
  await page.line('tensor Turning').first().waitFor();
  await page.line('=> Turning').first().waitFor();
  await page.goTo(await page.lineWith('tensor Turning'), 1);
  await keyboard.type('      ');
  await page.command('Format Document');
  for (let tries = 0; tries < 60 && !/\n {2}tensor Turning: /.test(page.onDisk(FILE)); tries++) {
    await page.page.waitForTimeout(500);
    await page.save();
  }
  await page.hint('rule turned', '✗ refuted');
  await page.shot('7-renamed-and-formatted');
  const text = page.onDisk(FILE);
  assert.match(text, /\n {2}tensor Turning: /);
  assert.match(text, /\n {2}example \{ .*Turning = \[/);
});
