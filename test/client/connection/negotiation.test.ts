import assert from 'node:assert/strict';
import { it } from 'node:test';
import { applyAnswer, keepsDtlsKeys, useIceServers } from '../../../src/client/connection/negotiation.js';
import type { Unread } from '../../../src/client/unread.js';
import type { CommandAnswer } from '../../../src/wire/websocket/server-message.js';
import { FakeBrowser } from '../../support/client/fake-browser.js';

it('throws for an answer without SDP', async (t) => {
  const { peers } = new FakeBrowser(t);
  const answer = { sdp: 7 } as unknown;
  await assert.rejects(applyAnswer(new RTCPeerConnection(), answer as Unread<CommandAnswer>, 'answer'), {
    code: 'malformed_answer',
  });
  assert.deepEqual(peers[0]!.log, []);
});

it('does not change the configuration if there are no ICE servers', (t) => {
  const { peers } = new FakeBrowser(t);
  const peer = new RTCPeerConnection();
  useIceServers(peer, []);
  useIceServers(peer);
  assert.deepEqual(peers[0]!.log, []);
});

it('recognises Firefox by its offer', () => {
  assert.equal(keepsDtlsKeys('v=0\r\no=mozilla...THIS_IS_SDPARTA-99.0 1 0 IN IP4 0.0.0.0\r\n'), true);
  assert.equal(keepsDtlsKeys('v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\n'), false);
});
