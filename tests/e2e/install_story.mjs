// An editor without Rewright: the message offers to install it, from a folder of wheels; then a rule has its verdict.
import path from 'node:path';

import { tell } from './page.mjs';

await tell('install', async (page) => {
  await page.open('xla/slice.rw');
  await page.notification('is not installed in');
  await page.shot('1-offered');
  await page.page.locator('.notifications-toasts a.monaco-button', { hasText: 'Install Rewright' }).click();
  await page.page.locator('.monaco-dialog-box', { hasText: 'environment of its own' }).waitFor();
  await page.shot('2-asked');
  await page.page.locator('.monaco-dialog-box a.monaco-button', { hasText: 'Folder of Wheels' }).click();
  const input = page.page.locator('.quick-input-widget input').first();
  await input.waitFor();
  const wheels = `${path.resolve(process.env.REWRIGHT_WHEELS)}/`;
  do {
    // The folder that it begins with may come late, over what was typed.
    await input.fill(wheels);
    await page.page.waitForTimeout(1000);
  } while ((await input.inputValue()) !== wheels);
  await page.shot('3-folder');
  await page.page.locator('.quick-input-widget a.monaco-button', { hasText: 'Install from Here' }).click();
  page.page.setDefaultTimeout(240000);
  await page.timed('installed and proved', () => page.hint('rule slice_of_everything', '✓ all ranks and sizes'));
  await page.shot('4-installed');
});
