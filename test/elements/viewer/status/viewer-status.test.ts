import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StreamError, UnreachableError } from '../../../../src/client/errors.js';
import type { ViewerPhase } from '../../../../src/client/viewer/viewer-phase.js';
import { viewerStatus, type StatusContext } from '../../../../src/elements/viewer/status/viewer-status.js';
import { viewerMessages as messages } from '../../../../src/elements/i18n/en.js';
import { fakeMedia } from '../../../support/client/fake-media.js';

const status = (phase: ViewerPhase, changes: Partial<StatusContext> = {}) =>
  viewerStatus(
    phase,
    { missing: undefined, isPaused: false, hasPicture: true, isOnline: true, isBare: false, ...changes },
    messages,
  );
const live: ViewerPhase = { name: 'live', media: fakeMedia(), viewers: 1 };
const reconnecting: ViewerPhase = {
  name: 'reconnecting',
  attempt: 1,
  error: new UnreachableError('lost'),
  retryInMs: 0,
};

describe('the status of the viewer', () => {
  it('names the option that the page has not set', () => {
    assert.deepEqual(status({ name: 'idle' }, { missing: [messages.noStream, ''] }), {
      variant: 'cover',
      title: 'No stream selected',
      detail: '',
    });
  });

  it('is empty before the viewer starts', () => {
    assert.deepEqual(status({ name: 'idle' }), { variant: 'visually-hidden' });
  });

  it('is announced but not visible while the picture plays', () => {
    assert.deepEqual(status(live), { variant: 'visually-hidden', title: 'Live', isBusy: false });
    assert.deepEqual(status(live, { isPaused: true }), { variant: 'visually-hidden', title: 'Paused' });
  });

  it('is a notice over the last picture while the video is paused, unless the visitor has paused the viewer', () => {
    const slow: ViewerPhase = { ...live, videoPaused: true };
    assert.deepEqual(status(slow), { variant: 'notice', title: messages.videoPaused });
    assert.deepEqual(status(slow, { isPaused: true }), status(live, { isPaused: true }));
  });

  it('says that the broadcaster is lost, over the last picture or in its place, also while paused', () => {
    const lost: ViewerPhase = { ...live, interrupted: true };
    const notice = { variant: 'notice', title: messages.interrupted, isBusy: true };
    assert.deepEqual(status(lost), notice);
    assert.deepEqual(status(lost, { isPaused: true }), notice);
    assert.deepEqual(status(lost, { hasPicture: false }), { ...notice, variant: 'cover' });
  });

  it('thanks after an end that the broadcaster declared, and promises nothing after another one', () => {
    assert.equal(status({ name: 'ended', declared: true }).title, messages.over[0]);
    assert.deepEqual(status({ name: 'ended' }), {
      variant: 'cover',
      title: 'The broadcast stopped',
      detail: 'It may start again.',
      slot: 'ended',
    });
  });

  it('is busy until there is a picture', () => {
    assert.deepEqual(status(live, { hasPicture: false }), { variant: 'clear', title: 'Live', isBusy: true });
    assert.equal(status({ name: 'connecting' }).isBusy, true);
  });

  it('is an icon while there is sound alone, which the page can replace', () => {
    assert.deepEqual(status(live, { isBare: true }), {
      variant: 'clear',
      title: 'Live',
      slot: 'audio',
    });
    assert.deepEqual(status(live, { isBare: true, isPaused: true }), status(live, { isPaused: true }));
  });

  it('is a notice over the last picture while reconnecting, and a cover if there is no picture', () => {
    assert.deepEqual(status(reconnecting), {
      variant: 'notice',
      title: messages.reconnecting,
      isBusy: true,
      slot: 'reconnecting',
    });
    assert.equal(status(reconnecting, { hasPicture: false }).variant, 'cover');
    assert.equal(status(reconnecting, { hasPicture: false }).title, 'Cannot connect');
  });

  it('is that the person is offline if the browser is offline', () => {
    assert.equal(status(reconnecting, { isOnline: false }).title, 'You are offline');
    assert.equal(status(reconnecting, { isOnline: false, hasPicture: false }).detail, messages.offline[1]);
  });

  it('offers to try again only where another attempt can help', () => {
    assert.equal(status({ name: 'rejected', reason: 'token_full', message: '', retryable: true }).canRetry, true);
    assert.equal(status({ name: 'rejected', reason: 'token_expired', message: '', retryable: false }).canRetry, false);
    assert.equal(status({ name: 'failed', error: new StreamError('malformed_answer', '') }).canRetry, true);
  });
});
