import assert from 'node:assert/strict';
import { it } from 'node:test';
import { iframeCode, tagCode } from '../../src/pages/embed-code.js';

const stream = { accountId: 'acme', streamName: '"><script>&', token: '' };

it('cannot be broken out of by the name of a stream', () => {
  assert.match(tagCode('https://x.test', stream), /stream-name="&quot;>&lt;script>&amp;"><\/stream-viewer>$/);
  assert.match(
    iframeCode('https://x.test', stream),
    /^<iframe src="https:\/\/x\.test\/viewer\?streamId=acme%2F%22%3E%3Cscript%3E%26" /,
  );
});

it('leaves out a token that there is not', () => {
  assert.doesNotMatch(tagCode('https://x.test', stream), /token/);
  assert.match(tagCode('https://x.test', { ...stream, token: 't1' }), / token="t1"/);
});
