// What a run of tests is told of, without an editor: `node --test` with the path of the built module in WAITING.
import assert from 'node:assert/strict';
import { test } from 'node:test';

const { Runs, Waiting } = await import(process.env.WAITING);

/** A run for these tests, and what it was told. */
function waiting(...ids) {
  const told = [];
  const run = new Waiting(ids, {
    done: (id, row) => told.push(['done', id, row.verdict]),
    started: (id) => told.push(['started', id]),
    skipped: (id) => told.push(['skipped', id]),
    ended: () => told.push(['ended']),
  });
  return { run, told };
}

const listed = (states) => new Map(Object.entries(states).map(([id, [state, verdict]]) => [id, { state, verdict }]));

test('what was listed before a run was asked for ends no run', async () => {
  const runs = new Runs();
  const { run, told } = waiting('a');
  runs.add(run);
  const early = runs.looking();
  run.isAsked = true;
  early(listed({ a: ['done', 'invalid'] }));
  assert.deepEqual(told, []);
  const late = runs.looking();
  late(listed({ a: ['checking', null] }));
  runs.looking()(listed({ a: ['done', 'proved'] }));
  assert.deepEqual(told, [['started', 'a'], ['done', 'a', 'proved'], ['ended']]);
  await run.ended;
  assert.deepEqual([...runs.ids()], []);
});

test('a run ends when nothing is left: what was stopped or edited away is skipped', () => {
  const { run, told } = waiting('a', 'b', 'c');
  run.settle(listed({ a: ['done', 'refuted'], b: ['unchecked', null] }));
  assert.deepEqual(told, [['done', 'a', 'refuted'], ['skipped', 'b'], ['skipped', 'c'], ['ended']]);
});

test('a run that was cancelled skips what it waits for, and is told of nothing more', () => {
  const { run, told } = waiting('a');
  run.end();
  run.end();
  run.settle(listed({ a: ['done', 'proved'] }));
  assert.deepEqual(told, [['skipped', 'a'], ['ended']]);
});

test('each of several runs is told of its own tests', () => {
  const runs = new Runs();
  const [one, other] = [waiting('a'), waiting('b')];
  for (const { run } of [one, other]) {
    run.isAsked = true;
    runs.add(run);
  }
  assert.deepEqual([...runs.ids()], ['a', 'b']);
  runs.looking()(listed({ a: ['done', 'proved'], b: ['checking', null] }));
  assert.deepEqual(one.told, [['done', 'a', 'proved'], ['ended']]);
  assert.deepEqual(other.told, [['started', 'b']]);
});
