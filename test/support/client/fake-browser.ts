import type { TestContext } from 'node:test';

/** A browser for sessions in Node. Media connects as soon as the answer is applied. */
export class FakeBrowser {
  /** Whether the server answers at all. */
  isUp = true;
  /** The websocket addresses in the director's answer. */
  urls: readonly string[] = ['ws://fake.test/ws/v2/sub/0'];
  /** Further fields of the director's answer. */
  grant: object = {};
  /** The addresses that refuse a websocket, and those that never answer. */
  readonly refusing = new Set<string>();
  readonly silent = new Set<string>();
  /** Whether a websocket opens without a grant in its address. */
  takesPreconnect = false;
  /** Whether media connects. */
  mediaConnects = true;
  /** The data of the answer to a command. Undefined: no answer comes by itself. */
  answer: (command: string) => object | undefined = () => ({ sdp: 'v=0', resumeToken: 'back' });
  /** The number of calls of the director. */
  calls = 0;
  /** The bodies of those calls. */
  readonly bodies: Record<string, unknown>[] = [];
  readonly sockets: FakeSocket[] = [];
  readonly peers: FakePeer[] = [];
  /** The names of the commands on all sockets, in order. */
  readonly commands: string[] = [];
  /** The data of those commands. */
  readonly commandData: unknown[] = [];
  /** Resolves when a local description is applied. */
  describing: Promise<void> = Promise.resolve();
  /** The `o=` line of every offer, which names the browser. */
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
      fetch: async (_url: string, { body }: RequestInit) => {
        this.calls++;
        this.bodies.push(JSON.parse(String(body)));
        if (!this.isUp) throw new TypeError('fetch failed');
        return Response.json({ status: 'success', data: { jwt: 'a.b.c', urls: this.urls, ...this.grant } });
      },
    });
    t.after(() => {
      Object.assign(globalThis, { fetch, WebSocket });
      for (const name of ['MediaStream', 'RTCPeerConnection']) Reflect.deleteProperty(globalThis, name);
    });
  }

  /** Stops the server, and ends every connection to it. */
  goDown(): void {
    this.isUp = false;
    for (const socket of this.sockets) socket.end();
  }
}

class FakeMedia {
  getTracks(): [] {
    return [];
  }

  getVideoTracks(): [] {
    return [];
  }
}

export class FakePeer extends EventTarget {
  connectionState = 'new';
  remoteDescription: object | null = null;
  isClosed = false;
  /** The calls of its methods, in order. */
  readonly log: string[] = [];
  iceServers: unknown[] = [];
  readonly #browser: FakeBrowser;

  constructor(browser: FakeBrowser) {
    super();
    this.#browser = browser;
    browser.peers.push(this);
  }

  addTransceiver(): object {
    return {};
  }
  getReceivers(): [] {
    return [];
  }
  getConfiguration(): object {
    return { bundlePolicy: 'max-bundle' };
  }
  setConfiguration({ iceServers = [] }: { iceServers?: unknown[] }): void {
    this.log.push('setConfiguration');
    this.iceServers = iceServers;
  }
  async getStats(): Promise<Map<string, object>> {
    return new Map();
  }

  async createOffer(): Promise<object> {
    this.log.push('createOffer');
    return { type: 'offer', sdp: `v=0\r\n${this.#browser.origin}\r\n` };
  }
  async createAnswer(): Promise<object> {
    this.log.push('createAnswer');
    return { type: 'answer', sdp: 'v=0 of the browser' };
  }
  restartIce(): void {
    this.log.push('restartIce');
  }
  setLocalDescription({ type }: { type: string }): Promise<void> {
    this.log.push(`local ${type}`);
    return this.#browser.describing;
  }
  async setRemoteDescription(description: { type: string }): Promise<void> {
    this.log.push(`remote ${description.type}`);
    this.remoteDescription = description;
    if (this.#browser.mediaConnects) this.become('connected');
  }
  become(state: RTCPeerConnectionState): void {
    this.connectionState = state;
    this.dispatchEvent(new Event('connectionstatechange'));
  }
  close(): void {
    this.log.push('close');
    this.isClosed = true;
  }
}

class FakeSocket extends EventTarget {
  readyState = 0;
  /** The close code of the client. */
  closeCode: number | undefined;
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
      const isRefused = (!query && !browser.takesPreconnect) || browser.refusing.has(address);
      if (!browser.isUp || isRefused) return this.end();
      this.readyState = 1;
      this.dispatchEvent(new Event('open'));
    });
  }

  send(frame: string): void {
    const { transId, name, data } = JSON.parse(frame);
    this.#browser.commands.push(name);
    this.#browser.commandData.push(data);
    queueMicrotask(() => {
      const data = this.#browser.answer(name);
      if (data) this.receive({ type: 'response', transId, data });
    });
  }

  receive(message: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  }

  close(code?: number): void {
    this.closeCode = code;
    this.end();
  }

  end(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    queueMicrotask(() => this.dispatchEvent(new Event('close')));
  }
}
