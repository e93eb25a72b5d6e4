import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { iframeCode, tagCode } from '../../src/pages/embed-code.js';

const stream = { accountId: 'acme', streamName: '"><script>&', token: '' };

it('escapes the stream name', () => {
  assert.match(tagCode('https://x.test', stream), /stream-name="&quot;>&lt;script>&amp;"><\/stream-viewer>$/);
  assert.match(
    iframeCode('https://x.test', stream),
    /^<iframe src="https:\/\/x\.test\/viewer\?streamId=acme%2F%22%3E%3Cscript%3E%26" /,
  );
});

it('gives the frame only the permissions that the player needs', () => {
  const allow = 'allow="autoplay; fullscreen; picture-in-picture"';
  const code = iframeCode('https://x.test', { ...stream, streamName: 'keynote' });
  // Browsers warn of `allowfullscreen` beside `allow`.
  assert.ok(code.includes(` title="Live video" ${allow} width=`), code);
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/frames.md'), 'utf8');
  assert.ok(guide.includes(allow), 'the guide has other permissions');
});

it('makes a frame as wide as what is around it, with a size for sites that take styles away', () => {
  const size = 'width="640" height="360" style="width: 100%; height: auto; aspect-ratio: 16 / 9; border: 0"';
  assert.ok(iframeCode('https://x.test', stream).includes(` ${size}></iframe>`));
});

it('loads the current version of the server, or one fixed version with its hash', () => {
  const keynote = { ...stream, streamName: 'keynote' };
  const tag = '<stream-viewer controls autoplay account-id="acme" stream-name="keynote"></stream-viewer>';
  assert.equal(
    tagCode('https://x.test', keynote),
    `<script type="module" src="https://x.test/streamgate.js"></script>\n${tag}`,
  );
  assert.equal(
    tagCode('https://x.test', keynote, { path: '/streamgate-1.2.3.js', integrity: 'sha384-abc' }),
    `<script type="module" src="https://x.test/streamgate-1.2.3.js" integrity="sha384-abc" crossorigin="anonymous"></script>\n${tag}`,
  );
});

it('leaves out an empty token', () => {
  assert.doesNotMatch(tagCode('https://x.test', stream), /token/);
  assert.match(tagCode('https://x.test', { ...stream, token: 't1' }), / token="t1"/);
});

it('lets viewers of a recorded stream go back', () => {
  const recorded = { ...stream, streamName: 'keynote', dvr: true };
  assert.ok(tagCode('https://x.test', recorded).includes('<stream-viewer controls autoplay dvr account-id="acme"'));
  assert.ok(iframeCode('https://x.test', recorded).includes('/viewer?streamId=acme%2Fkeynote&amp;dvr=true"'));
  assert.doesNotMatch(tagCode('https://x.test', stream) + iframeCode('https://x.test', stream), /dvr/);
});
