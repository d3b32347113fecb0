// The server is killed: while idle, while it checks, again and again until none is started unasked, and while it starts. Each time it comes back.
import assert from 'node:assert/strict';

import { tell } from './page.mjs';

const FILE = 'xla/slice.rw';
const RULE = 'rule slice_of_slice';
const RIGHT = '=> slice(X, start + inner_start, limit + inner_start)';
const WRONG = '=> slice(X, start, limit)';
const MOST = 4; // as in connection.ts

await tell('killed', async (page) => {
  const known = [];
  const kill = async () => {
    const server = await page.server(known);
    known.push(server);
    process.kill(server, 'SIGKILL');
  };
  const [row, column] = page.place(page.onDisk(FILE), RIGHT);
  await page.open(FILE);
  await page.goTo(row, column);
  await page.hint(RULE, '✓ all ranks and sizes');

  await kill();
  known.push(await page.server(known));
  await page.command('Rewright: Restart Server');
  await page.server(known);
  const broken = await page.replace(page.onDisk(FILE), RIGHT, WRONG);
  await page.timed('killed and saved to refuted', async () => {
    await page.save();
    await page.hint(RULE, '✗ refuted');
  });
  assert.equal((await page.underlinedLines(1)).length, 1);

  await page.replace(broken, WRONG, RIGHT);
  await page.save();
  await kill();
  await page.timed('killed while checking to proved', () => page.hint(RULE, '✓ all ranks and sizes'));
  await page.underlinedLines(0);
  await page.shot('1-back');

  for (let ends = 1; ends < MOST + 1; ends++) { // since the restart one has ended
    await page.server(known);
    await page.status(/\d+ proved/);
    await kill();
  }
  await page.notification(`Rewright: The server ended ${MOST + 1} times`);
  assert.deepEqual(page.servers(), []);
  await page.shot('2-given-up');

  await page.command('Rewright: Restart Server');
  await kill(); // while it starts
  await page.notification('Rewright: The server did not start');
  await page.command('Rewright: Restart Server');
  await page.timed('restarted to proved', () => page.hint(RULE, '✓ all ranks and sizes'));

  const hung = await page.server(known);
  process.kill(hung, 'SIGSTOP');
  await page.command('Rewright: Restart Server');
  await page.timed('hung and restarted to another server', () => page.server([...known, hung]));
  await page.hint(RULE, '✓ all ranks and sizes');
  await page.status(/\d+ proved/);
  await page.shot('3-restarted');
  const problems = await page.page.locator('.notifications-toasts .notification-list-item', { hasText: 'already exists' }).count();
  assert.equal(problems, 0);
});
