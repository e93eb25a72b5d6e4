import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UnreachableError } from '../../../src/client/errors.js';
import type { ViewerPhase } from '../../../src/client/viewer/viewer-phase.js';
import { viewerMessages } from '../../../src/elements/i18n/en.js';
import { pageTitle } from '../../../src/pages/page-title.js';
import { viewerTitle } from '../../../src/pages/viewer/viewer-title.js';

const live = { name: 'live', media: {} as MediaStream, viewers: 1 } as const;
const error = new UnreachableError('lost');

describe('the title of the viewer page', () => {
  const titles: readonly (readonly [ViewerPhase, string])[] = [
    [{ name: 'idle' }, ''],
    [{ name: 'waiting' }, 'Waiting for the stream'],
    [live, 'Live'],
    [{ ...live, videoPaused: true }, 'Live'],
    [{ ...live, interrupted: true }, 'The broadcaster is reconnecting…'],
    [{ name: 'ended' }, 'The broadcast stopped'],
    [{ name: 'ended', declared: true }, 'The broadcast has ended'],
    [{ name: 'reconnecting', attempt: 1, retryInMs: 1, error }, 'Connection lost. Reconnecting…'],
    [{ name: 'rejected', reason: 'token_expired', message: '', retryable: false }, 'Your access has expired'],
    [{ name: 'failed', error }, 'Cannot connect'],
  ];
  for (const [phase, title] of titles)
    it(`says while ${JSON.stringify({ ...phase, media: undefined, error: undefined })}: ${title}`, () =>
      assert.equal(viewerTitle(phase, viewerMessages), title));

  it('begins with what changes, and leaves out what there is not', () => {
    assert.equal(pageTitle('Live', 'keynote', 'ACME'), 'Live · keynote · ACME');
    assert.equal(pageTitle('', 'keynote', ''), 'keynote');
  });
});
