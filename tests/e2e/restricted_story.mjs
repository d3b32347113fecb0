// A folder that is not trusted: its rules are checked, and a message says what of it is not used.
import { tell } from './page.mjs';

await tell('restricted', async (page) => {
  await page.open('xla/slice.rw');
  await page.hint('rule slice_of_everything', '✓ all ranks and sizes');
  await page.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).first().waitFor();
  await page.shot('1-restricted');
});
