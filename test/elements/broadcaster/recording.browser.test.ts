import { expect, fixture, html, waitUntil } from '@open-wc/testing';
import '../../../src/define/stream-broadcaster.js';
import type { StreamBroadcasterElement } from '../../../src/elements/broadcaster/stream-broadcaster-element.js';
import { FakeService, granted, refused } from '../../support/client/fake-service.js';
import { reachPhase } from '../../support/client/reach-phase.js';

const PATIENCE = { timeout: 10_000, interval: 10 };

/** The director's answer for a token that records, or one that does not. */
const grantedWith = (record: boolean) => ({
  ...granted,
  body: { status: 'success', data: { ...(granted.body as { data: object }).data, record } },
});

describe('<stream-broadcaster>, recorded', () => {
  let service: FakeService;

  beforeEach(async () => {
    service = new FakeService();
    await Promise.resolve();
    sessionStorage.clear();
  });
  afterEach(() => service.close());

  /** With an open camera. */
  async function ready(record: boolean, codec: string): Promise<StreamBroadcasterElement> {
    service.answer = grantedWith(record);
    const element = await fixture<StreamBroadcasterElement>(
      html`<stream-broadcaster
        style="width: 640px"
        endpoint="https://live.test"
        stream-name="keynote"
        codec=${codec}
        .token=${'sesame'}
      ></stream-broadcaster>`,
    );
    await element.openCamera();
    return element;
  }
  async function live(record: boolean, codec = 'auto'): Promise<StreamBroadcasterElement> {
    const element = await ready(record, codec);
    element.goLive();
    await reachPhase(element, 'live');
    await element.updateComplete;
    return element;
  }
  const report = async (element: StreamBroadcasterElement, state: 'on' | 'off', fault: string | null = null) => {
    service.sendEvent('recording', { streamId: 'acme/keynote', sourceId: null, state, fault });
    await element.updateComplete;
  };
  const part = (element: StreamBroadcasterElement, name: string) =>
    element.shadowRoot!.querySelector<HTMLElement>(`[part~=${name}]`);
  const notices = (element: StreamBroadcasterElement) =>
    [...element.shadowRoot!.querySelectorAll('[part=notice]')].map(({ textContent }) => textContent).join(' ');
  const commands = (name: string) => service.commands.filter((command) => command.name === name);

  it('shows no control where the token does not record, and sends VP8', async () => {
    const element = await live(false);
    await report(element, 'on');
    expect(element.recording).to.deep.equal({ name: 'unavailable' });
    expect([part(element, 'record'), part(element, 'recording-badge')]).to.deep.equal([null, null]);
    expect(commands('publish')[0]!.data['codec']).to.equal('vp8');
  });

  it('prefers a codec that viewers can go back in, unless the page names another one', async () => {
    const element = await live(true);
    expect(commands('publish')[0]!.data['codec']).to.be.oneOf(['h264', 'vp9']);
    await report(element, 'off');
    expect(element.recording).to.deep.equal({ name: 'off', fault: undefined, canRewind: true });
    element.stop();
    expect(element.recording).to.deep.equal({ name: 'unavailable' });
    await live(true, 'vp8');
    expect(commands('publish')[1]!.data['codec']).to.equal('vp8');
  });

  it('shows the sign while it is recorded, and says so in an event and a state', async () => {
    const element = await live(true);
    const states: string[] = [];
    element.addEventListener('stream-recording-change', ({ recording }) => states.push(recording.name));
    await report(element, 'on');
    expect(states).to.deep.equal(['on']);
    expect(part(element, 'recording-badge')!.textContent).to.equal('REC');
    expect(element.matches(':state(recording)')).to.equal(true);
    await expect(element).to.be.accessible();
    await report(element, 'off');
    expect(part(element, 'recording-badge')).to.equal(null);
    expect(element.matches(':state(recording)')).to.equal(false);
  });

  it('shows no sign while it reconnects, nor after the server refuses it: nothing is recorded then', async () => {
    const element = await live(true);
    const signs = () => [part(element, 'recording-badge')?.textContent, element.matches(':state(recording)')];
    await report(element, 'on');
    expect(signs()).to.deep.equal(['REC', true]);
    service.answer = refused(401, 'token_disabled', 'Unauthorized: the token is disabled');
    service.sockets[0]!.close();
    await reachPhase(element, 'reconnecting');
    await element.updateComplete;
    expect(signs()).to.deep.equal([undefined, false]);
    await reachPhase(element, 'rejected');
    await element.updateComplete;
    expect(element.recording).to.deep.equal({ name: 'unavailable' });
    expect([...signs(), part(element, 'record')]).to.deep.equal([undefined, false, null]);
  });

  it('stops and starts the recording with one button', async () => {
    const element = await live(true);
    await report(element, 'on');
    expect(part(element, 'record')!.textContent!.trim()).to.equal('Stop recording');
    part(element, 'record')!.click();
    await waitUntil(() => commands('unrecord').length === 1, 'no unrecord', PATIENCE);
    await report(element, 'off');
    expect(part(element, 'record')!.textContent!.trim()).to.equal('Record');
    part(element, 'record')!.click();
    await waitUntil(() => commands('record').length === 1, 'no record', PATIENCE);
  });

  it('is not recorded at all if the recording is stopped while the broadcast starts', async () => {
    const element = await ready(true, 'auto');
    element.goLive();
    await element.unrecord();
    await reachPhase(element, 'live');
    expect(commands('publish').map(({ data }) => data['record'])).to.deep.equal([false]);
  });

  it('stops the recording if that is asked for while the server answers', async () => {
    const element = await ready(true, 'auto');
    const handle = service.handle.bind(service);
    service.handle = (socket, command) => {
      if (command.name === 'publish') void element.unrecord();
      return handle(socket, command);
    };
    element.goLive();
    await reachPhase(element, 'live');
    await waitUntil(() => commands('unrecord').length === 1, 'no unrecord', PATIENCE);
  });

  it('does not record again by itself after a reconnection', async () => {
    const element = await live(true);
    await element.unrecord();
    service.sockets[0]!.close();
    await reachPhase(element, 'reconnecting');
    await reachPhase(element, 'live');
    expect(commands('publish').map(({ data }) => data['record'])).to.deep.equal([undefined, false]);
  });

  it('says that the recording failed, and stays live', async () => {
    const element = await live(true);
    await report(element, 'off', 'disk_full');
    expect(notices(element)).to.contain('Recording interrupted');
    expect(element.phase.name).to.equal('live');
    await expect(element).to.be.accessible();
  });

  it('says that viewers cannot go back in VP8', async () => {
    const element = await live(true, 'vp8');
    await report(element, 'on');
    expect(notices(element)).to.contain('Viewers cannot rewind VP8');
  });

  it('rejects what the server refuses, and does nothing without a broadcast', async () => {
    const element = await live(true);
    service.refuses = 'recording_not_allowed';
    const refusal = await element.record().catch((error: unknown) => error);
    expect(refusal).to.have.property('reason', 'recording_not_allowed');
    element.stop();
    await element.record();
    expect(commands('record')).to.have.length(1);
  });
});
