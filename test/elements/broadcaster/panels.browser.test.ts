import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import '../../../src/define/stream-broadcaster.js';
import { iframeMarkup, webAddress } from '../../../src/elements/broadcaster/share/share-panel.js';
import type { StreamBroadcasterElement } from '../../../src/elements/broadcaster/stream-broadcaster-element.js';
import { itNeeds } from '../../support/capabilities.js';
import { FakeService } from '../../support/client/fake-service.js';

const PATIENCE = { timeout: 10_000, interval: 10 };

const DEFAULTS = [
  'resolution: 720',
  'frameRate: 30',
  'maxBitrate: 0',
  'codec: auto',
  'simulcast: auto',
  'echoCancellation: true',
  'noiseSuppression: true',
  'autoGainControl: true',
];

describe('the panels of <stream-broadcaster>', () => {
  let service: FakeService;

  beforeEach(() => {
    service = new FakeService();
    localStorage.clear();
  });

  afterEach(() => service.close());

  const find = <Found extends Element>(element: StreamBroadcasterElement, selector: string) =>
    element.shadowRoot!.querySelector<Found>(selector)!;
  const goLive = (element: StreamBroadcasterElement) => find<HTMLButtonElement>(element, '.go');
  const labelled = <Found extends HTMLElement>(element: StreamBroadcasterElement, label: string) =>
    [...element.shadowRoot!.querySelectorAll('label')]
      .find(({ textContent }) => textContent.includes(label))!
      .querySelector<Found>('input,select')!;

  async function withCamera(width = 640, viewerUrl = ''): Promise<StreamBroadcasterElement> {
    const element = await fixture<StreamBroadcasterElement>(
      html`<stream-broadcaster
        style=${`width: ${width}px`}
        endpoint="https://live.test"
        stream-name="keynote"
        viewer-url=${viewerUrl}
        .token=${'sesame'}
      ></stream-broadcaster>`,
    );
    await element.openCamera();
    await waitUntil(() => goLive(element), 'no camera', PATIENCE);
    return element;
  }

  async function live(...options: Parameters<typeof withCamera>): Promise<StreamBroadcasterElement> {
    const element = await withCamera(...options);
    goLive(element).click();
    await waitUntil(() => element.phase.name === 'live', 'not live', PATIENCE);
    await element.updateComplete;
    return element;
  }

  const openAll = (element: StreamBroadcasterElement) =>
    element.shadowRoot!.querySelectorAll('details').forEach((one) => (one.open = true));

  for (const scheme of ['dark', 'light']) {
    it(`are accessible while live and all open, in a ${scheme} scheme`, async () => {
      const element = await live(640, 'https://live.test/viewer?streamId=acme/keynote');
      element.style.colorScheme = scheme;
      openAll(element);
      expect(element.shadowRoot!.querySelectorAll('details')).to.have.length(3);
      await expect(element).to.be.accessible();
      // An audit of all panels is slow on a loaded machine.
    }).timeout(60_000);
  }

  for (const width of [160, 320, 3840]) {
    it(`fit into ${width} pixels`, async () => {
      const element = await live(width, 'https://live.test/viewer?streamId=acme/keynote');
      openAll(element);
      const panel = find(element, '.panel');
      expect(panel.scrollWidth).to.be.at.most(panel.clientWidth);
      const last = find(element, '.more').getBoundingClientRect();
      expect(last.bottom).to.be.at.most(element.getBoundingClientRect().bottom);
    });
  }

  it('change the settings, and disable the negotiated ones while live', async () => {
    const element = await withCamera();
    const codec = labelled<HTMLSelectElement>(element, 'Codec');
    codec.value = 'VP9';
    codec.dispatchEvent(new Event('change'));
    const simulcast = labelled<HTMLSelectElement>(element, 'Several resolutions');
    simulcast.value = 'Always';
    simulcast.dispatchEvent(new Event('change'));
    const bitrate = labelled<HTMLSelectElement>(element, 'Bitrate');
    bitrate.selectedIndex = 2;
    bitrate.dispatchEvent(new Event('change'));
    expect([element.codec, element.simulcast, element.maxBitrate]).to.deep.equal(['vp9', true, 1_000_000]);
    goLive(element).click();
    await waitUntil(() => element.phase.name === 'live', 'not live', PATIENCE);
    await element.updateComplete;
    expect(service.commands[0]!.data['codec']).to.equal('vp9');
    expect([codec.disabled, bitrate.disabled, simulcast.disabled]).to.deep.equal([true, true, true]);
    expect(labelled<HTMLSelectElement>(element, 'Resolution').disabled).to.equal(false);
  });

  it('show the current settings, also after the page reverts a choice', async () => {
    const element = await withCamera();
    const codec = labelled<HTMLSelectElement>(element, 'Codec');
    const simulcast = labelled<HTMLSelectElement>(element, 'Several resolutions');
    const echo = labelled<HTMLInputElement>(element, 'Echo cancellation');
    codec.value = 'VP9';
    codec.dispatchEvent(new Event('change'));
    simulcast.value = 'Always';
    simulcast.dispatchEvent(new Event('change'));
    echo.click();
    Object.assign(element, { codec: 'vp8', simulcast: false, echoCancellation: true });
    await element.updateComplete;
    expect([codec.value, simulcast.value, echo.checked]).to.deep.equal(['VP8', 'Never', true]);
  });

  it('show texts of the page as text, never as markup', async () => {
    const element = await withCamera();
    const markup = '<img src="x">';
    element.messages = { goLive: markup, settings: markup, camera: markup, cameraOff: markup };
    await waitUntil(() => goLive(element).textContent.trim() === markup, 'other text', PATIENCE);
    expect(find(element, '[part=settings] summary').textContent).to.equal(markup);
    expect(find(element, 'img')).to.equal(null);
  });

  it('list a resolution that only the page has set', async () => {
    const element = await withCamera();
    element.resolution = 600;
    await element.updateComplete;
    const { options, selectedIndex } = labelled<HTMLSelectElement>(element, 'Resolution');
    expect([...options].map(({ text }) => text)).to.deep.equal(['Auto', '360p', '480p', '600p', '720p', '1080p']);
    expect(options[selectedIndex]!.text).to.equal('600p');
  });

  it('leave the resolution to the camera', async () => {
    const element = await withCamera();
    const resolution = labelled<HTMLSelectElement>(element, 'Resolution');
    resolution.selectedIndex = 0;
    resolution.dispatchEvent(new Event('change'));
    await element.updateComplete;
    expect([element.resolution, resolution.selectedOptions[0]!.text]).to.deep.equal(['auto', 'Auto']);
  });

  it('send an event for each setting that changes', async () => {
    const element = await withCamera();
    const changes: string[][] = [];
    let before = DEFAULTS;
    element.addEventListener('stream-settings-change', ({ settings }) => {
      const now = Object.entries(settings).map(([name, value]) => `${name}: ${value}`);
      changes.push(now.filter((setting) => !before.includes(setting)));
      before = now;
    });
    const frameRate = labelled<HTMLSelectElement>(element, 'Frame rate');
    frameRate.selectedIndex = 0;
    frameRate.dispatchEvent(new Event('change'));
    await element.updateComplete;
    labelled<HTMLInputElement>(element, 'Echo cancellation').click();
    await element.updateComplete;
    element.resolution = 720;
    element.viewerUrl = 'https://live.test/viewer';
    await element.updateComplete;
    Object.assign(element, { frameRate: 30, codec: 'av1' });
    await element.updateComplete;
    expect(changes).to.deep.equal([['frameRate: 15'], ['echoCancellation: false'], ['frameRate: 30', 'codec: av1']]);
  });

  itNeeds('webrtc')('show the health and the statistics', async () => {
    const element = await live();
    await waitUntil(() => /\d Mb/.test(find(element, '[part=health]').textContent), 'no statistics', PATIENCE);
    expect(find(element, '[part=health] summary').textContent).to.contain('Connection');
  });

  it('share the link of the page unchanged, without the token', async () => {
    const element = await withCamera(640, 'https://live.test/viewer?streamId=acme/keynote&chat=1');
    expect(labelled<HTMLInputElement>(element, 'Viewer link').value).to.equal(
      'https://live.test/viewer?streamId=acme/keynote&chat=1',
    );
    const code = labelled<HTMLInputElement>(element, 'Embed code').value;
    const frame = new DOMParser().parseFromString(code, 'text/html').querySelector('iframe')!;
    expect(frame.src).to.equal('https://live.test/viewer?streamId=acme/keynote&chat=1');
    expect(code).not.to.contain('sesame');
  });

  it('copy the link and announce it', async () => {
    const element = await withCamera(640, 'https://live.test/viewer?streamId=acme/keynote');
    const { clipboard } = navigator;
    const copied: string[] = [];
    Object.defineProperty(clipboard, 'writeText', {
      value: async (text: string) => void copied.push(text),
      configurable: true,
    });
    find<HTMLButtonElement>(element, '[part=share] button').click();
    await waitUntil(
      () => find(element, '[part=share] [role=status]').textContent === 'Copied',
      'not announced',
      PATIENCE,
    );
    Reflect.deleteProperty(clipboard, 'writeText');
    expect(copied).to.deep.equal(['https://live.test/viewer?streamId=acme/keynote']);
  });

  it('share only http and https links', async () => {
    for (const url of ['', 'javascript:alert(1)', 'http://[', 'data:text/html,x']) {
      expect(webAddress(url), url).to.equal(undefined);
    }
    expect(webAddress('/viewer')).to.equal(new URL('/viewer', location.href).href);
    expect(find(await withCamera(640, 'javascript:alert(1)'), '[part=share]')).to.equal(null);
  });

  it('escape the link in the code', () => {
    const link = webAddress('https://live.test/"><script>?a="><b>#"><c>\'')!;
    const body = new DOMParser().parseFromString(iframeMarkup(link), 'text/html').body;
    expect(body.querySelectorAll('*')).to.have.length(1);
    expect(body.querySelector('iframe')!.src).to.equal(link);
  });

  it('keep the focus from the first button to the last', async () => {
    const element = await fixture<StreamBroadcasterElement>(
      html`<stream-broadcaster endpoint="https://live.test" stream-name="keynote" .token=${'sesame'}>
      </stream-broadcaster>`,
    );
    const first = find<HTMLButtonElement>(element, '.cover button') as HTMLButtonElement | null;
    if (first) {
      first.focus();
      first.click();
      await waitUntil(() => element.shadowRoot!.activeElement?.matches('.go'), 'the focus is lost', PATIENCE);
    } else {
      await waitUntil(() => goLive(element), 'no camera', PATIENCE);
      goLive(element).focus();
    }
    goLive(element).click();
    await waitUntil(() => element.phase.name === 'live', 'not live', PATIENCE);
    await element.updateComplete;
    expect(element.shadowRoot!.activeElement).to.equal(goLive(element));
    goLive(element).click();
    await waitUntil(() => element.phase.name === 'idle', 'still live', PATIENCE);
    await element.updateComplete;
    expect(element.shadowRoot!.activeElement).to.equal(goLive(element));
  });
});
