import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { WakeLockController } from '../../../../src/elements/broadcaster/live/wake-lock-controller.js';

class FakeLock {
  isHeld = true;
  async release(): Promise<void> {
    this.isHeld = false;
  }
}

/** Runs everything that is pending. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the wake lock of a broadcast', () => {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  let locks: FakeLock[];
  let isLive: boolean;
  let request: () => Promise<FakeLock>;
  let controller: WakeLockController;

  const held = () => locks.filter(({ isHeld }) => isHeld).length;
  const show = (visibilityState: string): void => {
    page.visibilityState = visibilityState;
    // Browsers release the lock of a page that is hidden.
    if (visibilityState === 'hidden') for (const lock of locks) void lock.release();
    page.dispatchEvent(new Event('visibilitychange'));
  };

  beforeEach(() => {
    locks = [];
    isLive = true;
    request = async () => locks[locks.push(new FakeLock()) - 1]!;
    page.visibilityState = 'visible';
    Object.assign(globalThis, { document: page });
    Object.defineProperty(navigator, 'wakeLock', { value: { request: () => request() }, configurable: true });
    controller = new WakeLockController(() => isLive);
  });

  afterEach(() => {
    controller.hostDisconnected();
    Reflect.deleteProperty(globalThis, 'document');
    Reflect.deleteProperty(navigator, 'wakeLock');
  });

  it('is held while it is live, once', async () => {
    isLive = false;
    controller.hostUpdated();
    isLive = true;
    controller.hostUpdated();
    controller.hostUpdated();
    await settled();
    assert.deepEqual([locks.length, held()], [1, 1]);
    isLive = false;
    controller.hostUpdated();
    assert.equal(held(), 0);
  });

  it('is requested again when the page is shown again', async () => {
    controller.hostUpdated();
    await settled();
    show('hidden');
    await settled();
    assert.deepEqual([locks.length, held()], [1, 0]);
    show('visible');
    await settled();
    assert.deepEqual([locks.length, held()], [2, 1]);
  });

  it('is released with its host, and not requested afterwards', async () => {
    controller.hostUpdated();
    await settled();
    controller.hostDisconnected();
    show('visible');
    await settled();
    assert.deepEqual([locks.length, held()], [1, 0]);
  });

  it('is released where it is granted after the broadcast has ended', async () => {
    controller.hostUpdated();
    controller.hostDisconnected();
    await settled();
    assert.deepEqual([locks.length, held()], [1, 0]);
  });

  it('changes nothing where the browser refuses it or does not have it', async () => {
    request = () => Promise.reject(new DOMException('the battery is low', 'NotAllowedError'));
    controller.hostUpdated();
    await settled();
    controller.hostDisconnected();
    Reflect.deleteProperty(navigator, 'wakeLock');
    controller.hostUpdated();
    await settled();
    assert.equal(held(), 0);
  });
});
