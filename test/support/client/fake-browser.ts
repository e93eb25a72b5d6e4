import type { TestContext } from 'node:test';

/** What a page has and Node has not, as far as a session touches it. Media connects as soon as it is answered. */
export class FakeBrowser {
  /** Whether the service is there at all. */
  isUp = true;
  /** What the director names as places for the websocket. */
  urls: readonly string[] = ['ws://fake.test/ws/v2/sub/0'];
  /** Of these, those where nobody is, and those from where nothing comes back. */
  readonly refusing = new Set<string>();
  readonly silent = new Set<string>();
  /** Calls of the director. */
  calls = 0;
  readonly sockets: FakeSocket[] = [];
  readonly peers: FakePeer[] = [];
  /** Of every socket, in order. */
  readonly commands: string[] = [];
  /** How long it takes to know its own description. */
  describing: Promise<void> = Promise.resolve();
  /** As the browser begins its offers: it says there who it is. */
  origin = 'o=- 1 2 IN IP4 127.0.0.1';

  constructor(t: TestContext) {
    const { fetch, WebSocket } = globalThis;
    const open = (url: string): FakeSocket => new FakeSocket(url, this);
    const openPeer = (): FakePeer => new FakePeer(this);
    Object.assign(globalThis, {
      MediaStream: FakeMedia,
      RTCPeerConnection: function () {
        return openPeer();
      },
      WebSocket: function (url: string) {
        return open(url);
      },
      fetch: async () => {
        this.calls++;
        if (!this.isUp) throw new TypeError('fetch failed');
        return Response.json({ status: 'success', data: { jwt: 'a.b.c', urls: this.urls } });
      },
    });
    t.after(() => {
      Object.assign(globalThis, { fetch, WebSocket });
      for (const name of ['MediaStream', 'RTCPeerConnection']) Reflect.deleteProperty(globalThis, name);
    });
  }

  /** It is gone, and every connection with it. */
  goDown(): void {
    this.isUp = false;
    for (const socket of this.sockets) socket.end();
  }
}

class FakeMedia {
  getTracks(): [] {
    return [];
  }
}

class FakePeer extends EventTarget {
  connectionState = 'new';
  isClosed = false;
  readonly #browser: FakeBrowser;

  constructor(browser: FakeBrowser) {
    super();
    this.#browser = browser;
    browser.peers.push(this);
  }

  addTransceiver(): void {}
  getReceivers(): [] {
    return [];
  }
  async createOffer(): Promise<object> {
    return { type: 'offer', sdp: `v=0\r\n${this.#browser.origin}\r\n` };
  }
  restartIce(): void {}
  setLocalDescription(): Promise<void> {
    return this.#browser.describing;
  }
  async setRemoteDescription(): Promise<void> {
    this.become('connected');
  }
  become(state: RTCPeerConnectionState): void {
    this.connectionState = state;
    this.dispatchEvent(new Event('connectionstatechange'));
  }
  close(): void {
    this.isClosed = true;
  }
}

class FakeSocket extends EventTarget {
  readyState = 0;
  readonly url: string;
  readonly #browser: FakeBrowser;

  constructor(url: string, browser: FakeBrowser) {
    super();
    this.url = url;
    this.#browser = browser;
    browser.sockets.push(this);
    queueMicrotask(() => {
      const [address = '', query = ''] = url.split('?');
      if (browser.silent.has(address) || this.readyState !== 0) return;
      if (!browser.isUp || !query || browser.refusing.has(address)) return this.end();
      this.readyState = 1;
      this.dispatchEvent(new Event('open'));
    });
  }

  send(frame: string): void {
    const { transId, name } = JSON.parse(frame);
    this.#browser.commands.push(name);
    const answer = { type: 'response', transId, data: { sdp: 'v=0', resumeToken: 'back' } };
    queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(answer) })));
  }

  close(): void {
    this.end();
  }

  end(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    queueMicrotask(() => this.dispatchEvent(new Event('close')));
  }
}
