import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { connectViewer } from '../../../server/sessions/connect-viewer.js';
import { sdpOffer } from '../../support/media/offer.js';
import { OpenedSessions } from '../../support/opened-sessions.js';

const OPTIONS = { layer: null, pinnedSourceId: null, excludedSourceIds: null, forcePlayoutDelay: null };

describe('the answer to a viewer', () => {
  const answerOf = async (server: OpenedSessions) => {
    const { session } = server.viewer();
    const answer = await connectViewer(session, { sdp: sdpOffer(), ...OPTIONS }, () => 'resume');
    return { session, answer };
  };

  it('has what existing clients read, and the resume token', async () => {
    const server = new OpenedSessions();
    const { session, answer } = await answerOf(server);
    const { sdp, streamViewId, ...others } = answer;
    assert.match(sdp, /^v=0/);
    assert.match(streamViewId, /^[0-9a-f-]{36}$/);
    assert.deepEqual(others, {
      subscriberId: session.id,
      clusterId: 'local',
      streamId: 'acme/main',
      resumeToken: 'resume',
    });
  });

  it('says how often the viewer is to report, if reports are wanted', async () => {
    const { answer } = await answerOf(new OpenedSessions(5));
    assert.equal(answer.reportSeconds, 5);
  });

  it('asks the engine for nothing that the client did not choose', async () => {
    const server = new OpenedSessions();
    await answerOf(server);
    const [mediaId] = server.engine.viewerIds('acme/main');
    assert.deepEqual(server.engine.optionsOf(mediaId!), {
      layer: undefined,
      pinnedSourceId: undefined,
      excludedSourceIds: undefined,
      playoutDelay: undefined,
    });
  });
});
