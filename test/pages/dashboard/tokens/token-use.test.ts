import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { qrPath } from '../../../../src/pages/dashboard/tokens/qr-code.js';
import {
  firstStream,
  ingestAddress,
  permitsSeveral,
  rtmpSettings,
} from '../../../../src/pages/dashboard/tokens/use-dialog.js';
import { tokenBody } from '../../../support/token-body.js';

const place = { origin: 'https://live.example.com', accountId: 'acme' };

describe('the use of a token', () => {
  it('needs no choice of a stream if the token spells out one name', () => {
    const streams = [{ streamName: 'keynote', isRegex: false }];
    assert.equal(permitsSeveral(tokenBody({ streams })), false);
    assert.equal(firstStream(tokenBody({ streams })), 'keynote');
  });

  it('needs a choice for a pattern and for several names', () => {
    const pattern = { streamName: 'room-.*', isRegex: true };
    assert.equal(permitsSeveral(tokenBody({ streams: [pattern] })), true);
    assert.equal(firstStream(tokenBody({ streams: [pattern] })), '');
    const streams = [pattern, { streamName: 'a', isRegex: false }];
    assert.equal(permitsSeveral(tokenBody({ streams })), true);
    assert.equal(firstStream(tokenBody({ streams })), 'a');
  });

  it('is by WHIP to publish and by WHEP to watch', () => {
    assert.equal(ingestAddress('publish', 'a/b ü', place), 'https://live.example.com/api/whip/a%2Fb%20%C3%BC');
    assert.equal(ingestAddress('subscribe', 'keynote', place), 'https://live.example.com/api/whep/acme/keynote');
  });
});

describe('the QR code of a link', () => {
  it('covers each dark module once, within the quiet zone', () => {
    fc.assert(
      fc.property(fc.webUrl(), (link) => {
        const { path, size } = qrPath(link);
        const seen = new Set<string>();
        for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
          for (let at = Number(x); at < Number(x) + Number(length); at += 1) {
            const module = `${at} ${y}`;
            assert.equal(seen.has(module), false);
            assert.ok(at >= 4 && at < size - 4 && Number(y) >= 4 && Number(y) < size - 4);
            seen.add(module);
          }
        }
        // The corner of the first finder pattern (ISO/IEC 18004): seven dark modules, then a light one.
        assert.ok(seen.has('4 4') && seen.has('10 4') && !seen.has('11 4'));
      }),
      { numRuns: 50 },
    );
  });
});

describe('the settings of an encoder over RTMP', () => {
  const stream = { streamName: 'a/b ü', token: 'abc' };

  it('are a server at the host of the dashboard, and a key with name and token', () => {
    assert.deepEqual(rtmpSettings({ port: 1935, tls: false }, 'http://live.example.com:8080', stream), {
      server: 'rtmp://live.example.com/v2/pub',
      streamKey: 'a%2Fb%20%C3%BC?token=abc',
    });
  });

  it('name the port if it is another, and always with TLS', () => {
    const server = (port: number, tls: boolean) => rtmpSettings({ port, tls }, 'https://[::1]', stream).server;
    assert.equal(server(2000, false), 'rtmp://[::1]:2000/v2/pub');
    assert.equal(server(1935, true), 'rtmps://[::1]:1935/v2/pub');
  });
});
