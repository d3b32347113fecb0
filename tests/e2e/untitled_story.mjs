// A text that is in no file is checked too, and the steps of the walkthrough open examples that are.
import { tell } from './page.mjs';

await tell('untitled', async (page) => {
  const { keyboard } = page.page;
  await page.open('xla/slice.rw');
  await page.hint('rule slice_of_everything', '✓ all ranks and sizes');
  await page.command('Rewright: Get Started');
  await page.page.locator('.getting-started-step, .step-container, .gettingStartedDetailsContent', { hasText: 'Write a rule' }).first().waitFor();
  await page.shot('1-walkthrough');
  await page.page.locator('a, .monaco-button', { hasText: 'Open the example' }).first().click();
  await page.page.locator('.view-line', { hasText: '✓ all ranks and sizes' }).first().waitFor();
  await page.shot('2-example');
  await keyboard.press('Control+A');
  await keyboard.type('rule own<T: any> {\naxes A\nmap n on A\ntensor X: T[A: n]\nX => reverse(X, A)\n}\n');
  await page.command('Rewright: Check at Cursor');
  await page.page.locator('.squiggly-error').first().waitFor();
  await page.page.locator('.view-line', { hasText: '✗ refuted' }).first().waitFor();
  await page.shot('3-untitled');
});
