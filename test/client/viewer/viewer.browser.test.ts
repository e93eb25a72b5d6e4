import { expect, waitUntil } from '@open-wc/testing';
import { Viewer } from '../../../src/client/viewer/viewer.js';
import { itNeeds } from '../../support/capabilities.js';
import { FakeService, refused } from '../../support/client/fake-service.js';
import { reachPhase } from '../../support/client/reach-phase.js';

const PATIENCE = { timeout: 10_000, interval: 10 };
const KEYNOTE = { endpoint: 'https://live.test', accountId: 'acme', streamName: 'keynote', token: 'sesame' };

describe('a viewer', () => {
  let service: FakeService;
  let viewer: Viewer;
  /** The names of its phases, in order. */
  let phases: string[];

  beforeEach(() => {
    service = new FakeService();
    viewer = new Viewer();
    phases = [];
    viewer.addEventListener('phasechange', () => phases.at(-1) !== viewer.phase.name && phases.push(viewer.phase.name));
  });

  afterEach(() => {
    viewer.stop();
    service.close();
  });

  const inPhase = (name: string) => reachPhase(viewer, name);
  const commands = (name: string) => service.commands.filter((command) => command.name === name);
  const watch = async () => {
    viewer.start(KEYNOTE);
    await inPhase('live');
  };
  const expectPlayback = async () => {
    const video = document.createElement('video');
    Object.assign(video, { muted: true, autoplay: true });
    video.srcObject = viewer.phase.name === 'live' ? viewer.phase.media : null;
    document.body.append(video);
    await waitUntil(() => video.videoWidth > 0 && video.currentTime > 0, 'no picture', PATIENCE);
    const before = video.currentTime;
    await waitUntil(() => video.currentTime > before, 'the picture does not move', PATIENCE);
    video.remove();
  };

  describe('that connects for the first time', () => {
    const grantHere = { jwt: 'a.b.c', urls: [`wss://live.test/ws/v2/sub/${'0'.repeat(32)}`], iceServers: [] };

    it('sends its offer with the call, preconnects, and sends the grant on that websocket', async () => {
      service.acceptsPreconnect = true;
      service.answer = { status: 200, body: { status: 'success', data: grantHere } };
      await watch();
      await waitUntil(() => service.commands.length === 2, 'no socket was attached', PATIENCE);
      expect(service.requests).to.have.length(1);
      expect(service.requests[0]!.type, 'a page of another origin needs no preflight').to.match(/^text\/plain;/);
      expect(service.sockets.map(({ url }) => url)).to.deep.equal(['wss://live.test/ws/v2/sub']);
      expect(commands('view')[0]?.data).to.include.keys('sdp', 'events');
      expect(service.commands[1]).to.deep.equal({ name: 'attach', data: { grant: 'a.b.c' } });
      await viewer.select('auto');
      expect(commands('select')[0]?.data).to.deep.equal({ layer: {} });
      await expectPlayback();
      service.sockets[0]!.close();
      await inPhase('reconnecting');
      await inPhase('live');
      expect(service.sockets[1]!.url, 'a viewer that resumes does not preconnect').to.contain('?token=a.b.c');
    });

    it('plays before its websocket is open, and sends commands when it is', async () => {
      const { promise, resolve: open } = Promise.withResolvers<void>();
      service.opening = promise;
      await watch();
      await expectPlayback();
      const selecting = viewer.select({ encodingId: '0' });
      expect(service.open.map(({ readyState }) => readyState)).to.deep.equal([0]);
      open();
      await selecting;
      expect(service.commands.map(({ name }) => name)).to.deep.equal(['view', 'attach', 'select']);
      expect([service.requests.length, viewer.phase.name]).to.deep.equal([1, 'live']);
    });

    it('connects again where the websocket cannot join the session', async () => {
      service.attaches = false;
      viewer.start(KEYNOTE);
      await inPhase('reconnecting');
      service.attaches = true;
      await inPhase('live');
      expect(service.requests.length).to.be.above(1);
    });

    it('sends its offer on the websocket where the director does not read it', async () => {
      service.acceptsPreconnect = true;
      service.begins = false;
      service.answer = { status: 200, body: { status: 'success', data: grantHere } };
      await watch();
      expect(service.commands.map(({ name }) => name)).to.deep.equal(['view']);
      expect(commands('view')[0]?.data).to.include({ grant: 'a.b.c' });
      await expectPlayback();
    });

    it('uses the ICE servers that come with the answer to its offer', async () => {
      const made: RTCPeerConnection[] = [];
      const { RTCPeerConnection } = window;
      window.RTCPeerConnection = class extends RTCPeerConnection {
        constructor(configuration?: RTCConfiguration) {
          super(configuration);
          made.push(this);
        }
      };
      const iceServers = [{ urls: 'stun:127.0.0.1:3478' }];
      service.answer = { status: 200, body: { status: 'success', data: { ...grantHere, iceServers } } };
      await watch();
      window.RTCPeerConnection = RTCPeerConnection;
      const [{ urls } = {}] = made[0]!.getConfiguration().iceServers ?? [];
      expect(String(urls)).to.equal('stun:127.0.0.1:3478');
      await expectPlayback();
    });

    it('opens another websocket where the grant names another server', async () => {
      service.acceptsPreconnect = true;
      await watch();
      const [early, used] = service.sockets;
      expect([early!.readyState, used!.url]).to.deep.equal([3, 'ws://fake.test/ws?token=a.b.c']);
      await waitUntil(() => commands('attach').length === 1, 'no socket was attached', PATIENCE);
      expect(commands('attach')[0]?.data).to.deep.equal({});
    });

    it('leaves no websocket open when it is refused', async () => {
      service.acceptsPreconnect = true;
      service.answer = refused(401, 'token_expired', 'Unauthorized: Token expired');
      viewer.start(KEYNOTE);
      await inPhase('rejected');
      expect(service.open).to.have.length(0);
    });
  });

  describe('whose websocket is lost', () => {
    it('resumes without asking the director', async () => {
      service.resumes = 'yes';
      await watch();
      service.sockets[0]!.close();
      await inPhase('reconnecting');
      await inPhase('live');
      expect(service.sockets.map(({ url }) => new URL(url).search)).to.deep.equal(['?token=a.b.c', '?token=yes-1']);
      expect(service.requests).to.have.length(1);
      await expectPlayback();
    });

    it('asks the director, once, where the server refuses to resume', async () => {
      service.resumes = 'refused';
      await watch();
      service.sockets[0]!.close();
      await inPhase('reconnecting');
      await inPhase('live');
      expect(service.sockets.map(({ url }) => new URL(url).search)).to.deep.equal([
        '?token=a.b.c',
        '?token=refused-1',
        '?token=a.b.c',
      ]);
      expect(service.requests).to.have.length(2);
    });

    it('is rejected if the director refuses it, too', async () => {
      service.resumes = 'refused';
      await watch();
      service.answer = refused(401, 'token_expired', 'Unauthorized: Token expired');
      service.sockets[0]!.close();
      await inPhase('rejected');
      expect(service.requests).to.have.length(2);
    });
  });

  describe('whose media path is lost', () => {
    itNeeds('renewal-of-a-path')('renews it on the same websocket, without another phase', async () => {
      await watch();
      phases.length = 0;
      window.dispatchEvent(new Event('online'));
      await waitUntil(() => commands('renew').length === 1, 'no renewal', PATIENCE);
      await expectPlayback();
      expect([phases, service.sockets.length, service.requests.length]).to.deep.equal([[], 1, 1]);
    });

    itNeeds('renewal-of-a-path')('starts a new session where the server cannot renew', async () => {
      await watch();
      service.refuses = 'unknown_command';
      window.dispatchEvent(new Event('online'));
      await inPhase('reconnecting');
      await inPhase('live');
      expect(commands('view')).to.have.length(2);
      await expectPlayback();
    });
  });

  it('migrates, and plays on meanwhile', async () => {
    service.resumes = 'yes';
    await watch();
    const before = viewer.phase.name === 'live' && viewer.phase.media;
    phases.length = 0;
    service.sendEvent('migrate', {});
    await waitUntil(
      () => viewer.phase.name === 'live' && viewer.phase.media !== before,
      'it did not migrate',
      PATIENCE,
    );
    await expectPlayback();
    expect(phases).to.deep.equal(['live']);
    expect(service.sockets.map(({ readyState }) => readyState)).to.deep.equal([3, 1]);
    // Only the director knows the new address.
    expect(service.requests).to.have.length(2);
  });

  it('migrates while it waits, and stays waiting', async () => {
    service.isLive = false;
    viewer.start(KEYNOTE);
    await inPhase('waiting');
    service.sendEvent('migrate', {});
    await waitUntil(() => service.sockets.length === 2 && service.open.length === 1, 'it did not migrate', PATIENCE);
    expect(viewer.phase.name).to.equal('waiting');
    service.goLive();
    await inPhase('live');
  });

  it('ignores an event with a lower number than the last one', async () => {
    await watch();
    const [socket] = service.sockets;
    socket!.receive({ type: 'event', name: 'viewercount', seq: 8, data: { viewercount: 8 } });
    socket!.receive({ type: 'event', name: 'viewercount', seq: 7, data: { viewercount: 7 } });
    socket!.receive({ type: 'event', name: 'inactive', seq: 7, data: { sourceId: null } });
    expect(viewer.phase).to.deep.include({ name: 'live', viewers: 8 });
  });

  describe('of a stream with several sources', () => {
    const tracks = [{ trackId: '0', media: 'video' }];

    it('is live while one of them publishes', async () => {
      await watch();
      service.sendEvent('active', { sourceId: 'stage', tracks });
      expect(viewer.sources.map(({ sourceId }) => sourceId)).to.deep.equal([null, 'stage']);
      service.sendEvent('inactive', { sourceId: null });
      expect([viewer.phase.name, viewer.sources.length]).to.deep.equal(['live', 1]);
      service.sendEvent('inactive', { sourceId: 'stage' });
      expect([viewer.phase.name, viewer.sources.length]).to.deep.equal(['ended', 0]);
    });

    it('asks for the source that was chosen, after a loss too', async () => {
      await watch();
      service.sendEvent('active', { sourceId: 'stage', tracks });
      await viewer.project('stage');
      expect(commands('project')[0]?.data).to.deep.equal({
        sourceId: 'stage',
        mapping: [
          { trackId: '0', media: 'video' },
          { trackId: '1', media: 'audio' },
        ],
      });
      service.sockets[0]!.close();
      await waitUntil(() => commands('view').length === 2, 'no second view', PATIENCE);
      expect(commands('view')[1]?.data['pinnedSourceId']).to.equal('stage');
    });

    it('asks for no video of the source when it plays the sound alone', async () => {
      service.hasSound = true;
      viewer.start({ ...KEYNOTE, audioOnly: true });
      await inPhase('live');
      expect(String(commands('view')[0]?.data['sdp']).match(/^m=\w+/gm)).to.deep.equal(['m=audio']);
      expect(viewer.phase.name === 'live' && viewer.phase.media.getTracks().map(({ kind }) => kind)).to.deep.equal([
        'audio',
      ]);
      service.sendEvent('active', { sourceId: 'stage', tracks });
      await viewer.project('stage');
      expect(commands('project')[0]?.data['mapping']).to.deep.equal([{ trackId: '1', media: 'audio' }]);
    });

    it('throws the refusal for a source that does not publish', async () => {
      await watch();
      service.refuses = 'unknown_source';
      const error: unknown = await viewer.project('unknown').catch((thrown: unknown) => thrown);
      expect(error).to.deep.include({ code: 'rejected', reason: 'unknown_source' });
    });
  });

  describe('whose server wants to know what it saw', () => {
    let video: HTMLVideoElement;

    beforeEach(() => {
      service.reportSeconds = 0.1;
      video = Object.assign(document.createElement('video'), { muted: true, autoplay: true });
      document.body.append(video);
    });
    afterEach(() => video.remove());

    const play = async (more: { readonly noReports?: boolean } = {}) => {
      viewer.start({ ...KEYNOTE, video, ...more });
      await inPhase('live');
      video.srcObject = viewer.phase.name === 'live' ? viewer.phase.media : null;
      await waitUntil(() => video.currentTime > 0, 'no picture', PATIENCE);
    };
    const lastReport = () => commands('report').at(-1)?.data;
    const inbound = async () =>
      [...(await viewer.getStats())!.values()].find(({ type, kind }) => type === 'inbound-rtp' && kind === 'video');

    itNeeds('webrtc')('reports the size, and the freezes that the browser counted', async () => {
      await play();
      await waitUntil(() => lastReport()?.['height'] === 180, 'no size', PATIENCE);
      // The browser tells of the first picture after it has its size.
      await waitUntil(() => Number(lastReport()?.['first']) > 0, 'no first picture', PATIENCE);
      const silence = async () => {
        const { timestamp, lastPacketReceivedTimestamp } = await inbound();
        return timestamp - lastPacketReceivedTimestamp;
      };
      const isFrozen = async (): Promise<boolean> => {
        service.hasVideo = false;
        await waitUntil(async () => (await silence()) > 500, 'the picture goes on', PATIENCE);
        service.hasVideo = true;
        const { framesDecoded } = await inbound();
        await waitUntil(async () => (await inbound()).framesDecoded > framesDecoded + 10, 'no pictures', PATIENCE);
        // Undefined in browsers that do not count freezes.
        return (await inbound()).freezeCount !== 0;
      };
      // A browser does not count one of several seconds, as on a busy machine: then the stream is paused.
      await waitUntil(isFrozen, 'no freeze', PATIENCE);
      const { freezeCount, totalFreezesDuration } = await inbound();
      const tells = () =>
        lastReport()?.['freezes'] === freezeCount && lastReport()?.['frozen'] === totalFreezesDuration;
      await waitUntil(tells, 'not reported', PATIENCE);
    });

    it('counts no time while the video is paused, and reports once more when it leaves', async () => {
      await play();
      await waitUntil(() => Number(lastReport()?.['played']) > 0, 'no time', PATIENCE);
      video.pause();
      const { packetsReceived } = await inbound();
      const count = commands('report').length;
      const goesOn = async () => (await inbound()).packetsReceived > packetsReceived + 5;
      await waitUntil(goesOn, 'no media', PATIENCE);
      await waitUntil(() => commands('report').length > count + 2, 'no reports', PATIENCE);
      // WebKit moves the time by some milliseconds more when it pauses.
      const isSettled = () => lastReport()?.['played'] === Math.round(video.currentTime * 1_000);
      await waitUntil(isSettled, 'another time than that of the video', PATIENCE);
      viewer.stop();
      expect(service.commands.slice(-2).map(({ name }) => name)).to.deep.equal(['report', 'unview']);
    });

    it('reports nothing where the page does not want it', async () => {
      await play({ noReports: true });
      viewer.stop();
      await waitUntil(() => commands('unview').length === 1, 'it does not leave', PATIENCE);
      expect(commands('report')).to.deep.equal([]);
    });
  });

  describe('of a broadcaster who is lost', () => {
    it('is live and interrupted until they are back, if it shows their source', async () => {
      await watch();
      service.sendEvent('interrupted', { streamId: 'main/main', sourceIds: ['another'] });
      expect(viewer.phase).not.to.have.property('interrupted');
      service.sendEvent('interrupted', { streamId: 'main/main', sourceIds: ['another', null] });
      expect(viewer.phase).to.include({ name: 'live', interrupted: true });
      service.sendEvent('interrupted', { streamId: 'main/main', sourceIds: [] });
      expect(viewer.phase).not.to.have.property('interrupted');
    });

    it('is over when they declare it', async () => {
      await watch();
      service.sendEvent('inactive', { streamId: 'main/main', sourceId: null, declared: true, endedOn: 5 });
      expect(viewer.phase).to.deep.equal({ name: 'ended', declared: true, endedOn: 5 });
    });
  });

  describe('on a network that is too slow for any picture', () => {
    it('is live without video until the server sends it again', async () => {
      await watch();
      service.sendEvent('paused', { streamId: 'main/main', mediaIds: ['0'] });
      expect(viewer.phase).to.include({ name: 'live', videoPaused: true });
      service.sendEvent('paused', { streamId: 'main/main', mediaIds: [] });
      expect(viewer.phase).not.to.have.property('videoPaused');
    });
  });

  describe('of a video with several layers', () => {
    const layer = (encodingId: string, height: number) => ({ encodingId, spatialLayerId: 255, height, bitrate: 1 });
    const layers = { medias: { '0': { layers: [layer('0', 180), layer('1', 360)] } } };

    it('lists them, and dispatches layerschange', async () => {
      await watch();
      let count = 0;
      viewer.addEventListener('layerschange', () => count++);
      service.sendEvent('layers', layers);
      expect([count, viewer.layers.map(({ height }) => height)]).to.deep.equal([1, [360, 180]]);
      service.endStream();
      expect(viewer.layers).to.deep.equal([]);
    });

    it('asks for the layer and the source that are chosen while it reconnects', async () => {
      await watch();
      service.sockets[0]!.close();
      await inPhase('reconnecting');
      await Promise.all([viewer.select({ maxHeight: 180 }), viewer.project('stage')]);
      await waitUntil(() => commands('view').length === 2, 'no second view', PATIENCE);
      const { layer: chosen, pinnedSourceId } = commands('view')[1]!.data;
      expect([chosen, pinnedSourceId]).to.deep.equal([{ maxHeight: 180 }, 'stage']);
    });

    it('asks for the layer that was chosen, after a loss too, until auto is chosen', async () => {
      await watch();
      service.sendEvent('layers', layers);
      await viewer.select(viewer.layers[1]!);
      expect(commands('select')[0]?.data).to.deep.equal({ layer: { encodingId: '0' } });
      service.sockets[0]!.close();
      await waitUntil(() => commands('view').length === 2, 'no second view', PATIENCE);
      expect(commands('view')[1]?.data['layer']).to.deep.equal({ encodingId: '0' });
      await inPhase('live');
      await viewer.select('auto');
      expect(commands('select')[1]?.data).to.deep.equal({ layer: {} });
      expect(viewer.layer).to.equal('auto');
    });
  });
});
