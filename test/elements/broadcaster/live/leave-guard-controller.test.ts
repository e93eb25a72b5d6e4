import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { LeaveGuardController } from '../../../../src/elements/broadcaster/live/leave-guard-controller.js';

describe('the leave guard', () => {
  const page = new EventTarget();
  let isLive = false;

  beforeEach(() => {
    isLive = false;
    Object.assign(globalThis, { window: page });
  });

  afterEach(() => Reflect.deleteProperty(globalThis, 'window'));

  const asks = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }));

  it('asks before the page is left while it is live, and not otherwise', () => {
    const guard = new LeaveGuardController(() => isLive);
    guard.hostUpdated();
    assert.equal(asks(), false);
    isLive = true;
    guard.hostUpdated();
    assert.equal(asks(), true);
    isLive = false;
    guard.hostUpdated();
    assert.equal(asks(), false);
  });

  it('does not ask after its host was removed', () => {
    const guard = new LeaveGuardController(() => true);
    guard.hostUpdated();
    guard.hostDisconnected();
    assert.equal(asks(), false);
  });

  it('asks if one of two tags is live', () => {
    const live = new LeaveGuardController(() => true);
    const idle = new LeaveGuardController(() => false);
    live.hostUpdated();
    idle.hostUpdated();
    assert.equal(asks(), true);
    live.hostDisconnected();
  });
});
