import { expect, waitUntil } from '@open-wc/testing';
import { StreamFrame, type FrameMessage } from '../../src/frame.js';

/** A page that posts the messages of `post`, and records all other messages as commands. It plays nothing. */
const PAGE = `<!doctype html><script>
  window.commands = [];
  addEventListener('message', ({ data, source }) => {
    if (data.post) for (const one of data.post) source.postMessage(one, '*');
    else window.commands.push(data);
  });
</script>`;

/** For a busy machine. */
const PATIENCE = { timeout: 10_000, interval: 10 };

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
  const post = async (...messages: unknown[]): Promise<void> => {
    const last = `last ${Math.random()}`;
    let isReceived = false;
    const listener = ({ data }: MessageEvent): void => void (isReceived ||= data === last);
    addEventListener('message', listener);
    iframe.contentWindow!.postMessage({ post: [...messages, last] }, '*');
    await waitUntil(() => isReceived, 'no message came', PATIENCE);
    removeEventListener('message', listener);
  };
  const commands = (): unknown => Reflect.get(iframe.contentWindow!, 'commands');

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
    player.retry();
    player.setVolume(0.25);
    player.requestState();
    const source = 'streamgate';
    await waitUntil(() => (commands() as unknown[]).length === 8, 'commands are missing', PATIENCE);
    expect(commands()).to.deep.equal([
      { source, type: 'requestState' },
      { source, type: 'play' },
      { source, type: 'pause' },
      { source, type: 'mute' },
      { source, type: 'unmute' },
      { source, type: 'retry' },
      { source, type: 'setVolume', volume: 0.25 },
      { source, type: 'requestState' },
    ]);
  });

  it('dispatches the messages of the player, with its state', async () => {
    const player = frame();
    expect(player.state).to.equal(undefined);
    const events: unknown[] = [];
    player.addEventListener('live', ({ type, message: { streamName } }) =>
      events.push([type, streamName, player.state?.phase]),
    );
    player.addEventListener('viewer-count', ({ message: { viewers } }) => events.push(viewers));
    await post(
      { source: 'streamgate', type: 'state', ...STATE },
      { source: 'streamgate', type: 'live', streamName: 'keynote' },
      { source: 'streamgate', type: 'viewer-count', viewers: 3 },
    );
    expect(events).to.deep.equal([['live', 'keynote', 'live'], 3]);
    expect(player.state).to.include(STATE);
  });

  it('ignores messages that do not come from the player', async () => {
    const player = frame();
    const events: FrameMessage[] = [];
    player.addEventListener('live', ({ message }) => events.push(message));
    await post(null, 'live', { type: 'live' }, { source: 'other', type: 'live' }, { source: 'streamgate', type: 1 });
    postMessage({ source: 'streamgate', type: 'live', streamName: 'from this page' }, '*');
    const otherFrame = iframe;
    await open();
    await post({ source: 'streamgate', type: 'live', streamName: 'from another frame' });
    otherFrame.remove();
    expect(events).to.deep.equal([]);
  });

  it('ignores a page whose origin is not that of src', async () => {
    const player = frame();
    let count = 0;
    player.addEventListener('pause', () => (count += 1));
    await post({ source: 'streamgate', type: 'pause' });
    expect(count).to.equal(1);
    // The page in the frame stays until the next one has loaded.
    Object.defineProperty(iframe, 'src', { value: 'https://elsewhere.test/viewer', configurable: true });
    await post({ source: 'streamgate', type: 'pause' });
    Object.defineProperty(iframe, 'src', { value: '', configurable: true });
    await post({ source: 'streamgate', type: 'pause' });
    Reflect.deleteProperty(iframe, 'src');
    expect(count).to.equal(1);
  });

  it('ignores messages after close', async () => {
    const player = frame();
    let count = 0;
    player.addEventListener('pause', () => (count += 1));
    player.close();
    await post({ source: 'streamgate', type: 'pause' });
    expect(count).to.equal(0);
  });

  it('does not throw where the frame is not in the page', () => {
    iframe.remove();
    expect(() => frame().mute()).not.to.throw();
  });
});
