// No server to be had: one sentence says so, with a way out; the file is open and coloured all the same.
import assert from 'node:assert/strict';

import { tell } from './page.mjs';

await tell('lacking', async (page) => {
  await page.open('xla/slice.rw');
  const said = await page.notification('Rewright: There is no `/no/python`');
  assert.match(said, /rewright\.interpreter/);
  assert.match(said, /Open Settings/);
  await page.shot('told');
});
