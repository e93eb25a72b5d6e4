import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import { Viewer } from '../../../src/client/viewer/viewer.js';
import '../../../src/define/stream-viewer.js';
import type { StreamViewerElement } from '../../../src/elements/viewer/stream-viewer-element.js';
import { provideViewer } from '../../../src/elements/viewer/lazy-viewer.js';
import { FakeService } from '../../support/client/fake-service.js';

describe('a <stream-viewer> in a bundle that contains the client', () => {
  const { RTCPeerConnection } = window;
  let service: FakeService;

  beforeEach(() => {
    service = new FakeService();
  });
  afterEach(() => {
    window.RTCPeerConnection = RTCPeerConnection;
    service.close();
  });

  it('creates its connection before it renders', async () => {
    provideViewer(Viewer);
    const wasRendered: boolean[] = [];
    window.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        wasRendered.push(Boolean(document.querySelector('stream-viewer')!.shadowRoot?.querySelector('video')));
      }
    };
    const viewer = await fixture<StreamViewerElement>(
      html`<stream-viewer
        autoplay
        endpoint="https://live.test"
        account-id="acme"
        stream-name="keynote"
      ></stream-viewer>`,
    );
    await waitUntil(() => viewer.phase.name === 'live', 'it is not live', { timeout: 10_000 });
    expect(wasRendered[0]).to.equal(false);
  });
});
