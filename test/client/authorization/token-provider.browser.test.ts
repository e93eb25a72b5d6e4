import { expect, waitUntil } from '@open-wc/testing';
import { Broadcaster } from '../../../src/client/broadcaster/broadcaster.js';
import type { TokenContext } from '../../../src/client/authorization/token-provider.js';
import { Viewer } from '../../../src/client/viewer/viewer.js';
import { FakeService, granted, refused } from '../../support/client/fake-service.js';
import { reachPhase } from '../../support/client/reach-phase.js';

const PATIENCE = { timeout: 10_000, interval: 10 };
const KEYNOTE = { endpoint: 'https://live.test', accountId: 'acme', streamName: 'keynote' };
const expired = refused(401, 'token_expired', 'Unauthorized: Token expired');

describe('a token provider', () => {
  let service: FakeService;
  let calls: TokenContext[];
  let phases: string[];

  beforeEach(() => {
    service = new FakeService();
    calls = [];
    phases = [];
  });

  afterEach(() => service.close());

  const tokenProvider = async (context: TokenContext) => {
    calls.push(context);
    return `token-${calls.length}`;
  };
  const reasons = () => calls.map(({ reason }) => reason);
  const sentTokens = () => service.requests.map(({ token }) => token);
  const grantedForSeconds = (tokenExpiresIn: number) => ({
    ...granted,
    body: { ...granted.body, data: { ...(granted.body as { data: object }).data, tokenExpiresIn } },
  });

  function follow<Runner extends Viewer | Broadcaster>(runner: Runner): Runner {
    runner.addEventListener('phasechange', () => phases.at(-1) !== runner.phase.name && phases.push(runner.phase.name));
    return runner;
  }

  it('is called once where there is no token, with the stream', async () => {
    const viewer = follow(new Viewer());
    viewer.start({ ...KEYNOTE, tokenProvider });
    await reachPhase(viewer, 'live');
    expect(calls).to.deep.equal([{ role: 'subscribe', ...KEYNOTE, reason: 'first' }]);
    expect(sentTokens()).to.deep.equal(['token-1']);
    expect(service.sockets.map(({ url }) => url).join(' ')).not.to.contain('token-1');
    viewer.stop();
  });

  it('is called when the server refuses the first token, and no phase shows the refusal', async () => {
    service.answer = expired;
    const viewer = follow(new Viewer());
    viewer.start({
      ...KEYNOTE,
      token: 'old',
      tokenProvider: (context) => {
        service.answer = granted;
        return tokenProvider(context);
      },
    });
    await reachPhase(viewer, 'live');
    expect(reasons()).to.deep.equal(['token_expired']);
    expect(sentTokens()).to.deep.equal(['old', 'token-1']);
    expect(phases).not.to.include('reconnecting');
    viewer.stop();
  });

  it('is not called again after a new token was refused', async () => {
    service.answer = expired;
    const viewer = follow(new Viewer());
    viewer.start({ ...KEYNOTE, token: 'old', tokenProvider });
    await reachPhase(viewer, 'rejected');
    expect(sentTokens()).to.deep.equal(['old', 'token-1']);
  });

  it('is called when the server ends a session because of its token, and the next session uses the new one', async () => {
    service.resumes = 'yes';
    const viewer = follow(new Viewer());
    viewer.start({ ...KEYNOTE, tokenProvider });
    await reachPhase(viewer, 'live');
    service.sendEvent('stopped', {
      streamId: 'acme/keynote',
      code: 'token_disabled',
      message: 'the token was disabled',
    });
    await reachPhase(viewer, 'reconnecting');
    await reachPhase(viewer, 'live');
    expect(reasons()).to.deep.equal(['first', 'token_disabled']);
    expect(sentTokens()).to.deep.equal(['token-1', 'token-2']);
    viewer.stop();
  });

  it('is called before the token expires, and the picture continues', async () => {
    service.answer = grantedForSeconds(4);
    const viewer = follow(new Viewer());
    viewer.start({ ...KEYNOTE, tokenProvider });
    await reachPhase(viewer, 'live');
    service.answer = grantedForSeconds(3600);
    await waitUntil(() => service.sockets.length === 2 && service.open.length === 1, 'no second session', PATIENCE);
    expect(reasons()).to.deep.equal(['first', 'expiring']);
    expect(sentTokens()).to.deep.equal(['token-1', 'token-2']);
    expect(phases).to.deep.equal(['authorizing', 'connecting', 'live']);
    expect(viewer.phase.name).to.equal('live');
    viewer.stop();
  });

  it('keeps a broadcast live, with the same session key', async () => {
    const canvas = document.createElement('canvas');
    canvas.getContext('2d')!.fillRect(0, 0, 1, 1);
    service.answer = grantedForSeconds(4);
    const broadcaster = follow(new Broadcaster());
    broadcaster.start({ ...KEYNOTE, tokenProvider, media: canvas.captureStream(5) });
    await reachPhase(broadcaster, 'live');
    service.answer = grantedForSeconds(3600);
    await waitUntil(() => service.sockets.length === 2 && service.open.length === 1, 'no second session', PATIENCE);
    expect(calls.map(({ role }) => role)).to.deep.equal(['publish', 'publish']);
    expect(service.requests[1]?.body).to.deep.include({ sessionKey: 'key-1' });
    expect(phases).to.deep.equal(['starting', 'live']);
    broadcaster.stop();
  });

  it('is called again after it failed', async () => {
    let tries = 0;
    const viewer = follow(new Viewer());
    viewer.start({
      ...KEYNOTE,
      tokenProvider: (context) => (++tries < 3 ? Promise.reject(new Error('offline')) : tokenProvider(context)),
    });
    await reachPhase(viewer, 'reconnecting');
    const { phase } = viewer;
    expect(phase.name === 'reconnecting' && phase.error.code).to.equal('token_unavailable');
    await reachPhase(viewer, 'live');
    expect(sentTokens()).to.deep.equal(['token-1']);
    viewer.stop();
  });

  it('is not waited for after stop', async () => {
    const viewer = follow(new Viewer());
    let give = (_token: string): void => {};
    viewer.start({ ...KEYNOTE, tokenProvider: () => new Promise((resolve) => (give = resolve)) });
    await reachPhase(viewer, 'authorizing');
    viewer.stop();
    give('late');
    await new Promise((resolve) => setTimeout(resolve));
    expect(service.requests).to.have.length(0);
    expect(viewer.phase.name).to.equal('idle');
  });
});
