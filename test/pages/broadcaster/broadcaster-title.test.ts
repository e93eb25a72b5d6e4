import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BroadcasterPhase } from '../../../src/client/broadcaster/broadcaster-phase.js';
import { CaptureError } from '../../../src/client/broadcaster/capture.js';
import { UnreachableError } from '../../../src/client/errors.js';
import { broadcasterMessages } from '../../../src/elements/i18n/en.js';
import { broadcasterTitle, type TitledBroadcaster } from '../../../src/pages/broadcaster/broadcaster-title.js';

const titleOf = (changed: Partial<TitledBroadcaster>): string =>
  broadcasterTitle(
    {
      phase: { name: 'idle' },
      captureError: undefined,
      cameraState: 'open',
      microphoneState: 'open',
      screenSharing: false,
      ...changed,
    },
    broadcasterMessages,
  );
const error = new UnreachableError('lost');
const live = { name: 'live', viewers: 1, streamName: 'keynote', accountId: 'main', since: 1 } as const;

describe('the title of the broadcaster page', () => {
  const titles: readonly (readonly [BroadcasterPhase, string])[] = [
    [{ name: 'idle' }, 'Ready to go live'],
    [{ name: 'starting' }, 'Loading'],
    [live, 'Live'],
    [{ name: 'reconnecting', attempt: 1, retryInMs: 1, error, broadcast: live }, 'Connection lost. Reconnecting…'],
    [{ name: 'rejected', reason: 'stream_in_use', message: '', retryable: true }, 'This stream is already live'],
    [{ name: 'rejected', reason: 'disk_full', message: 'full', retryable: true }, 'You cannot broadcast'],
    [{ name: 'failed', error }, 'Cannot connect'],
  ];
  for (const [phase, title] of titles)
    it(`says while ${JSON.stringify({ ...phase, error: undefined })}: ${title}`, () =>
      assert.equal(titleOf({ phase }), title));

  it('says why nobody can go live with the link, until somebody tries', () => {
    const tag = {
      captureError: undefined,
      cameraState: 'open',
      microphoneState: 'open',
      screenSharing: false,
    } as const;
    const titleAt = (phase: BroadcasterPhase) =>
      broadcasterTitle({ ...tag, phase }, broadcasterMessages, 'token_expired');
    assert.deepEqual(
      [titleAt({ name: 'idle' }), titleAt({ name: 'starting' })],
      ['Your access has expired', 'Loading'],
    );
  });

  it('says why the devices do not open, until there is a broadcast', () => {
    const captureError = new CaptureError('capture_denied');
    assert.equal(titleOf({ captureError }), 'Camera and microphone are blocked');
    assert.equal(titleOf({ captureError, phase: live }), 'Live');
  });

  it('says that a live camera or microphone is lost', () => {
    assert.equal(titleOf({ phase: live, cameraState: 'lost' }), 'Camera disconnected');
    assert.equal(titleOf({ phase: live, microphoneState: 'lost' }), 'Microphone disconnected');
    assert.equal(titleOf({ phase: live, cameraState: 'lost', screenSharing: true }), 'Live');
    assert.equal(titleOf({ cameraState: 'lost' }), 'Ready to go live');
  });
});
