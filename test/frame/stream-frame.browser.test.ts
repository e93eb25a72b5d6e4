import { expect, waitUntil } from '@open-wc/testing';
import { StreamFrame, type FrameMessage } from '../../src/frame.js';

/** A page that posts the messages it is given, and records the commands it gets. It plays nothing. */
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
  /** Has the page in the frame post these messages, and waits until this page has received them. */
  const say = async (...messages: unknown[]): Promise<void> => {
    const last = `last ${Math.random()}`;
    let isHeard = false;
    const hear = ({ data }: MessageEvent): void => void (isHeard ||= data === last);
    addEventListener('message', hear);
    iframe.contentWindow!.postMessage({ say: [...messages, last] }, '*');
    await waitUntil(() => isHeard, 'no message came');
    removeEventListener('message', hear);
  };
  const asked = (): unknown => Reflect.get(iframe.contentWindow!, 'asked');

  beforeEach(open);
  afterEach(() => {
    for (const one of frames.splice(0)) one.close();
    URL.revokeObjectURL(iframe.src);
    iframe.remove();
  });

  it('requests the state at once, and sends each command', async () => {
    const player = frame();
    player.play();
    player.pause();
    player.mute();
    player.unmute();
    player.setVolume(0.25);
    player.requestState();
    const source = 'streamgate';
    await waitUntil(() => (asked() as unknown[]).length === 7, 'commands are missing');
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

  it('dispatches the messages of the player, with its state', async () => {
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

  it('ignores messages that do not come from the player', async () => {
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

  it('ignores a page of another origin than src names', async () => {
    const player = frame();
    let count = 0;
    player.addEventListener('pause', () => (count += 1));
    await say({ source: 'streamgate', type: 'pause' });
    expect(count).to.equal(1);
    // The page in the frame stays until the next one has loaded.
    Object.defineProperty(iframe, 'src', { value: 'https://elsewhere.test/viewer', configurable: true });
    await say({ source: 'streamgate', type: 'pause' });
    Object.defineProperty(iframe, 'src', { value: '', configurable: true });
    await say({ source: 'streamgate', type: 'pause' });
    Reflect.deleteProperty(iframe, 'src');
    expect(count).to.equal(1);
  });

  it('ignores messages after close', async () => {
    const player = frame();
    let count = 0;
    player.addEventListener('pause', () => (count += 1));
    player.close();
    await say({ source: 'streamgate', type: 'pause' });
    expect(count).to.equal(0);
  });

  it('does not throw where the frame is not in the page', () => {
    iframe.remove();
    expect(() => frame().mute()).not.to.throw();
  });
});
