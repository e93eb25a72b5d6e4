import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { beforeEach, describe, it } from 'node:test';
import { Admission, type Application } from '../../../server/admission/admission.js';
import type { MediaEngineEvents } from '../../../server/media/media-engine.js';
import type { AdmittingToken } from '../../../server/rules/access-request.js';
import { StreamRegistry } from '../../../server/streams/stream-registry.js';
import { aPublisher } from '../../support/member.js';
import { anAdmittingToken } from '../../support/token.js';

const NOW = Date.parse('2030-01-01T00:00:00Z');

describe('Admission', () => {
  let tokens: AdmittingToken[];
  let engine: EventEmitter<MediaEngineEvents>;
  let streams: StreamRegistry;
  let admission: Admission;

  beforeEach(() => {
    tokens = [
      anAdmittingToken({ id: 1, kind: 'publish', token: 'publish-main' }),
      anAdmittingToken({ id: 2, kind: 'subscribe', token: 'watch-main' }),
    ];
    engine = new EventEmitter();
    streams = new StreamRegistry(engine);
    const lookup = {
      findByValue: (value: string) => tokens.find(({ token }) => token === value),
      findById: (id: number) => tokens.find((token) => token.id === id),
    };
    admission = new Admission(lookup, streams, () => NOW);
  });

  const application = (overrides: Partial<Application> = {}): Application => ({
    token: undefined,
    accountId: 'acme',
    streamName: 'main',
    origin: 'https://example.com',
    address: '192.0.2.1',
    ...overrides,
  });

  const goLive = (publisher = aPublisher({ tokenId: 1 })) => {
    streams.claim('acme/main', publisher, null);
    engine.emit('live', 'acme/main', ['video']);
    return publisher;
  };

  const reasonOf = (outcome: ReturnType<Admission['view']>) => (outcome.admitted ? 'admitted' : outcome.reason);

  it('lets a viewer with a token wait for a stream to begin, in the name of that token', () => {
    const outcome = admission.view(application({ token: 'watch-main', accountId: undefined }));
    assert.equal(outcome.admitted, true);
    assert.deepEqual(
      { ...outcome.grant, sessionId: '' },
      { role: 'Subscribe', accountId: 'acme', streamName: 'main', sessionId: '', tokenId: 2, resumes: null },
    );
    assert.match(outcome.grant.sessionId, /^[0-9a-f]{32}$/);
  });

  it('lets a viewer without a token see a stream that is live', () => {
    goLive();
    assert.equal(reasonOf(admission.view(application())), 'admitted');
  });

  it('turns away a viewer without a token from a stream that is not live', () => {
    assert.equal(reasonOf(admission.view(application())), 'stream_not_live');
  });

  it('does not call a stream live while its publisher has sent nothing yet', () => {
    streams.claim('acme/main', aPublisher({ tokenId: 1 }), null);
    assert.equal(reasonOf(admission.view(application())), 'stream_not_live');
  });

  it('asks viewers for a token where the token of the live publisher does', () => {
    goLive();
    tokens[0] = anAdmittingToken({ id: 1, kind: 'publish', subscribeRequiresAuth: true });
    assert.equal(reasonOf(admission.view(application())), 'token_missing');
    assert.equal(reasonOf(admission.view(application({ token: 'watch-main' }))), 'admitted');
  });

  it('asks viewers for a token when the token of the live publisher is gone', () => {
    goLive();
    tokens.shift();
    assert.equal(reasonOf(admission.view(application())), 'token_missing');
  });

  it('does not let a token open another account', () => {
    assert.equal(reasonOf(admission.view(application({ token: 'watch-main', accountId: 'other' }))), 'token_unknown');
  });

  it('takes a token that cannot be read for an unknown one', () => {
    goLive();
    assert.equal(reasonOf(admission.view(application({ token: '' }))), 'token_unknown');
  });

  it('turns away a second publisher while the first is there', () => {
    goLive();
    assert.equal(reasonOf(admission.publish(application({ token: 'publish-main' }))), 'stream_in_use');
  });

  it('lets the same broadcaster back in by the key of the session that was lost', () => {
    const publisher = goLive(aPublisher({ tokenId: 1, sessionKey: 'k' }));
    const outcome = admission.publish(application({ token: 'publish-main', sessionKey: 'k' }));
    assert.equal(outcome.admitted && outcome.grant.resumes, publisher.id);
  });

  it('does not take another key for it', () => {
    goLive(aPublisher({ tokenId: 1, sessionKey: 'k' }));
    const outcome = admission.publish(application({ token: 'publish-main', sessionKey: 'other' }));
    assert.equal(reasonOf(outcome), 'stream_in_use');
  });

  it('asks every publisher for a token', () => {
    assert.equal(reasonOf(admission.publish(application())), 'token_missing');
  });
});
