import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { attempt, contain } from '../../../server/faults/contain.js';
import { Emitter } from '../../../server/faults/emitter.js';
import { followFaults, reportFault, type Fault } from '../../../server/faults/fault.js';

const broken = new Error('broken');
const fail = (): never => {
  throw broken;
};

describe('a contained listener', () => {
  let faults: Fault[];
  let unfollow: () => void;
  beforeEach(() => {
    faults = [];
    unfollow = followFaults((fault) => faults.push(fault));
  });
  afterEach(() => unfollow());

  it('leaves its error to the log, and its emitter goes on', () => {
    const socket = new EventEmitter();
    const heard: string[] = [];
    socket.on('message', contain('signalling', fail, { of: { session: 'one' } }));
    socket.on('message', (text: string) => heard.push(text));
    socket.emit('message', 'hello');
    assert.deepEqual(heard, ['hello']);
    assert.deepEqual(faults, [{ part: 'signalling', error: broken, of: { session: 'one' }, count: 1 }]);
  });

  it('of a timer ends no other timer', async () => {
    setTimeout(contain('streams', fail), 0);
    await new Promise((resolve) => setTimeout(resolve, 0));
    await nextTurn();
    assert.deepEqual(
      faults.map(({ error }) => error),
      [broken],
    );
  });

  it('leaves the rejection of its promise to the log too', async () => {
    const listener = contain('cluster', async () => fail());
    listener();
    await nextTurn();
    assert.deepEqual(
      faults.map(({ part, error }) => [part, error]),
      [['cluster', broken]],
    );
  });

  it('ends what the fault belongs to, once, and that may fail too', () => {
    const ended: unknown[] = [];
    attempt('sessions', fail, { onFault: (error) => ended.push(error) });
    attempt('sessions', fail, {
      onFault() {
        throw new Error('the end is broken too');
      },
    });
    assert.deepEqual(ended, [broken]);
    assert.deepEqual(
      faults.map(({ error }) => String(error)),
      ['Error: broken', 'Error: broken', 'Error: the end is broken too'],
    );
  });

  it('is not hurt by a log that fails', () => {
    const unfollowFirst = followFaults(fail);
    const unfollowLast = followFaults((fault) => faults.push(fault));
    reportFault('http', broken);
    unfollowFirst();
    unfollowLast();
    assert.equal(faults.length, 2);
  });
});

describe('an emitter of the server', () => {
  it('tells every listener, whatever another one does', async () => {
    const faults: unknown[] = [];
    const unfollow = followFaults(({ error }) => faults.push(error));
    const emitter = new Emitter<{ changed: [name: string]; never: [] }>('streams');
    const heard: string[] = [];
    emitter.on('changed', fail);
    emitter.once('changed', (name) => heard.push(`once ${name}`));
    emitter.on('changed', async () => fail());
    emitter.on('changed', (name) => heard.push(name));
    assert.equal(emitter.emit('changed', 'a'), true);
    assert.equal(emitter.emit('changed', 'b'), true);
    assert.equal(emitter.emit('never'), false);
    await nextTurn();
    unfollow();
    assert.deepEqual(heard, ['once a', 'a', 'b']);
    assert.deepEqual(faults, [broken, broken, broken, broken]);
  });

  it('can be awaited', async () => {
    const emitter = new Emitter<{ changed: [name: string] }>('streams');
    const changed = once(emitter, 'changed');
    emitter.emit('changed', 'a');
    assert.deepEqual(await changed, ['a']);
  });
});
