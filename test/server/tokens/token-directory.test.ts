import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { TokenDirectory } from '../../../server/tokens/token-directory.js';
import { aTokenRecord } from '../../support/token.js';

describe('TokenDirectory', () => {
  let directory: TokenDirectory;

  beforeEach(() => {
    directory = new TokenDirectory();
    directory.put(aTokenRecord({ id: 1, token: 'one', revision: 2 }));
  });

  it('finds a compiled token by its value and by its id', () => {
    assert.equal(directory.findByValue('one')?.permitsStream('main'), true);
    assert.equal(directory.findById(1)?.token, 'one');
  });

  it('compiles a token once, when it is first asked for', () => {
    assert.equal(directory.findById(1), directory.findByValue('one'));
    assert.equal(directory.findById(1), directory.findById(1));
  });

  it('fills itself without an event for what was not known, and with one for what has changed', async () => {
    const heard: number[] = [];
    directory.on('changed', (id) => heard.push(id));
    await directory.fill(
      (async function* () {
        yield aTokenRecord({ id: 1, token: 'one', revision: 3 });
        yield aTokenRecord({ id: 2, token: 'two' });
      })(),
    );
    assert.deepEqual([heard, directory.size], [[1], 2]);
  });

  it('finds nothing for an unknown value', () => {
    for (const value of ['', 'on', 'ONE', 'one ']) assert.equal(directory.findByValue(value), undefined);
  });

  it('forgets the old value of a refreshed token', () => {
    directory.put(aTokenRecord({ id: 1, token: 'two', revision: 3 }));
    assert.equal(directory.findByValue('one'), undefined);
    assert.equal(directory.findByValue('two')?.id, 1);
    assert.equal(directory.size, 1);
  });

  it('ignores a record that is older than the known one', () => {
    directory.put(aTokenRecord({ id: 1, token: 'zero', revision: 1 }));
    assert.equal(directory.findByValue('zero'), undefined);
    assert.equal(directory.findByValue('one')?.revision, 2);
  });

  it('removes a token whose value cannot be opened, and adds it again with a new value', () => {
    directory.put(aTokenRecord({ id: 1, token: '', revision: 3 }));
    assert.deepEqual([directory.findByValue(''), directory.findById(1), directory.size], [undefined, undefined, 0]);
    directory.put(aTokenRecord({ id: 1, token: 'two', revision: 4 }));
    assert.equal(directory.findByValue('two')?.id, 1);
  });

  it('remembers all deletions during a long read', async () => {
    const fresh = new TokenDirectory();
    await fresh.fill(
      (async function* () {
        for (let id = 1; id <= 20_000; id += 1) fresh.remove(id);
        for (const id of [1, 20_000, 20_001]) yield aTokenRecord({ id, token: `${id}` });
      })(),
    );
    assert.deepEqual([...fresh.ids()], [20_001]);
  });

  it('forgets a removed token, and ignores the removal of an unknown one', () => {
    directory.remove(1);
    directory.remove(9);
    assert.equal(directory.findByValue('one'), undefined);
    assert.equal(directory.findById(1), undefined);
    assert.equal(directory.size, 0);
  });
});
