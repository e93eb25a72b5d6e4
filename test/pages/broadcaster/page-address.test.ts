import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { readPageAddress } from '../../../src/pages/broadcaster/page-address.js';

describe('the address of the broadcaster page', () => {
  const stored = new Map<string, string>();
  let href: string;

  const pretend = (name: string, value: object) =>
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

  beforeEach(() => {
    stored.clear();
    pretend('location', {
      get href() {
        return href;
      },
    });
    pretend('history', { state: null, replaceState: (_state: unknown, _title: string, url: string) => (href = url) });
    pretend('sessionStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    });
  });

  afterEach(() => {
    for (const name of ['location', 'history', 'sessionStorage']) Reflect.deleteProperty(globalThis, name);
  });

  const open = (tail: string) => {
    href = `https://live.example.com/broadcaster${tail}`;
    return readPageAddress();
  };

  for (const tail of [
    '?streamName=keynote#token=t1',
    '?streamName=keynote&token=t1',
    '?token=t1&streamName=keynote#',
  ]) {
    it(`has no token after it is read: ${tail}`, () => {
      assert.deepEqual(open(tail), { streamName: 'keynote', token: 't1' });
      assert.equal(href, 'https://live.example.com/broadcaster?streamName=keynote');
      assert.deepEqual(readPageAddress(), { streamName: 'keynote', token: 't1' }, 'after a reload');
    });
  }

  it('replaces the stored token by the token of another link', () => {
    open('?streamName=keynote#token=t1');
    assert.equal(open('?streamName=keynote#token=t2')?.token, 't2');
    assert.equal(readPageAddress()?.token, 't2');
  });

  it('does not use the stored token of another stream', () => {
    open('?streamName=keynote#token=t1');
    assert.deepEqual(open('?streamName=other'), { streamName: 'other', token: '' });
  });

  it('loses its token also if it has no stream name', () => {
    assert.equal(open('?lang=de#token=t1'), undefined);
    assert.equal(href, 'https://live.example.com/broadcaster?lang=de');
    assert.equal(stored.size, 0);
  });

  it('loses its token also if storage is blocked', () => {
    Object.defineProperty(globalThis, 'sessionStorage', {
      get() {
        throw new DOMException('no', 'SecurityError');
      },
      configurable: true,
    });
    assert.equal(open('?streamName=keynote#token=t1')?.token, 't1');
    assert.equal(href, 'https://live.example.com/broadcaster?streamName=keynote');
  });
});
