import { expect, waitUntil } from '@open-wc/testing';
import { StreamFrame, type FrameMessage } from '../../src/frame.js';

/** A page that says what it is told to say, and tells what it was asked; nothing of it plays. */
const PAGE = `<!doctype html><script>
  window.asked = [];
  addEventListener('message', ({ data, source }) => {
    if (data.say) for (const one of data.say) source.postMessage(one, '*');
    else window.asked.push(data);
  });
</script>`;

const STATE = { streamName: 'keynote', phase: 'live', paused: false, muted: true, volume: 0.5 };

describe('StreamFrame', () => {
  const frames: StreamFrame[] = [];
  let iframe: HTMLIFrameElement;

  const open = async (): Promise<void> => {
    iframe = document.createElement('iframe');
    const loaded = new Promise((done) => iframe.addEventListener('load', done, { once: true }));
    iframe.src = URL.createObjectURL(new Blob([PAGE], { type: 'text/html' }));
    document.body.append(iframe);
    await loaded;
  };
  const frame = (): StreamFrame => {
    const made = new StreamFrame(iframe);
    frames.push(made);
    return made;
  };
  /** Has the page in the frame say these, and waits until this page has heard all there is to hear of them. */
  const say = async (...messages: unknown[]): Promise<void> => {
    const last = `last ${Math.random()}`;
    let isHeard = false;
    const hear = ({ data }: MessageEvent): void => void (isHeard ||= data === last);
    addEventListener('message', hear);
    iframe.contentWindow!.postMessage({ say: [...messages, last] }, '*');
    await waitUntil(() => isHeard, 'nothing was said');
    removeEventListener('message', hear);
  };
  const asked = (): unknown => Reflect.get(iframe.contentWindow!, 'asked');

  beforeEach(open);
  afterEach(() => {
    for (const one of frames.splice(0)) one.close();
    URL.revokeObjectURL(iframe.src);
    iframe.remove();
  });

  it('asks for the state at once, and then for what it is told to', async () => {
    const player = frame();
    player.play();
    player.pause();
    player.mute();
    player.unmute();
    player.setVolume(0.25);
    player.requestState();
    const source = 'streamgate';
    await waitUntil(() => (asked() as unknown[]).length === 7, 'not all was asked');
    expect(asked()).to.deep.equal([
      { source, type: 'requestState' },
      { source, type: 'play' },
      { source, type: 'pause' },
      { source, type: 'mute' },
      { source, type: 'unmute' },
      { source, type: 'setVolume', volume: 0.25 },
      { source, type: 'requestState' },
    ]);
  });

  it('tells what the player says, with the state that goes with it', async () => {
    const player = frame();
    expect(player.state).to.equal(undefined);
    const heard: unknown[] = [];
    player.addEventListener('live', ({ type, message: { streamName } }) =>
      heard.push([type, streamName, player.state?.phase]),
    );
    player.addEventListener('viewer-count', ({ message: { viewers } }) => heard.push(viewers));
    await say(
      { source: 'streamgate', type: 'state', ...STATE },
      { source: 'streamgate', type: 'live', streamName: 'keynote' },
      { source: 'streamgate', type: 'viewer-count', viewers: 3 },
    );
    expect(heard).to.deep.equal([['live', 'keynote', 'live'], 3]);
    expect(player.state).to.include(STATE);
  });

  it('hears nothing that is not the player', async () => {
    const player = frame();
    const heard: FrameMessage[] = [];
    player.addEventListener('live', ({ message }) => heard.push(message));
    await say(null, 'live', { type: 'live' }, { source: 'other', type: 'live' }, { source: 'streamgate', type: 1 });
    postMessage({ source: 'streamgate', type: 'live', streamName: 'from this page' }, '*');
    const stranger = iframe;
    await open();
    await say({ source: 'streamgate', type: 'live', streamName: 'from another frame' });
    stranger.remove();
    expect(heard).to.deep.equal([]);
  });

  it('hears nothing of a page on another origin than its address names', async () => {
    const player = frame();
    let count = 0;
    player.addEventListener('pause', () => (count += 1));
    await say({ source: 'streamgate', type: 'pause' });
    expect(count).to.equal(1);
    // The frame itself stays as it is until the next one has loaded.
    Object.defineProperty(iframe, 'src', { value: 'https://elsewhere.test/viewer', configurable: true });
    await say({ source: 'streamgate', type: 'pause' });
    Object.defineProperty(iframe, 'src', { value: '', configurable: true });
    await say({ source: 'streamgate', type: 'pause' });
    Reflect.deleteProperty(iframe, 'src');
    expect(count).to.equal(1);
  });

  it('hears nothing after it was closed', async () => {
    const player = frame();
    let count = 0;
    player.addEventListener('pause', () => (count += 1));
    player.close();
    await say({ source: 'streamgate', type: 'pause' });
    expect(count).to.equal(0);
  });

  it('asks nothing of a frame that is not in the page, and does not throw', () => {
    iframe.remove();
    expect(() => frame().mute()).not.to.throw();
  });
});
