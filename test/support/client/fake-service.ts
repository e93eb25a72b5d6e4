/** What the fake director says next. */
export type Answer = { readonly status: number; readonly body: object; readonly headers?: Record<string, string> };

export const granted: Answer = {
  status: 200,
  body: {
    status: 'success',
    data: { jwt: 'a.b.c', urls: ['ws://fake.test/ws'], iceServers: [], streamAccountId: 'acme' },
  },
};

export const refused = (status: number, code: string, message: string): Answer => ({
  status,
  body: { status: 'fail', data: { message, code } },
});

/**
 * The service, inside the page: the director behind `fetch`, the signalling behind `WebSocket`, and at the other end
 * of the media a peer of the same browser. Real WebRTC flows; only HTTP and sockets are pretended.
 */
export class FakeService {
  /** The answer to every call for leave. */
  answer: Answer = granted;
  /** Whether a stream is live for those who come to view. */
  isLive = true;
  /** Whether what is sent to viewers has sound. */
  hasSound = false;
  /** Whether sessions are left a way back without the director, and whether it is open. */
  resumes: 'no' | 'refused' | 'yes' = 'no';
  /** Whether a websocket may be opened before its grant is there. One that may not does not count among the sockets. */
  takesEarly = false;
  /** Whether a viewer's session begins with the call for leave, where that carries an offer. */
  begins = true;
  /** Whether a socket finds the session that began without it. */
  attaches = true;
  /** Sockets open when this is done. */
  doors: Promise<unknown> = Promise.resolve();
  /** Every command but `view` and `publish`, which are answered in any case: the code of a refusal, or undefined. */
  refuses: string | undefined;
  /** `token` in whichever place it came; `body` without it and without an offer. */
  readonly requests: { url: string; type: string | null; token: string | undefined; body: unknown }[] = [];
  readonly sockets: FakeSocket[] = [];
  /** What came in, in order, by whatever way. */
  readonly commands: { name: string; data: Record<string, unknown> }[] = [];
  readonly #peers = new Map<FakeSocket, RTCPeerConnection>();
  /** Of sessions whose socket has not come. */
  readonly #begun: RTCPeerConnection[] = [];
  readonly #fetch = window.fetch;
  readonly #WebSocket = window.WebSocket;
  readonly #canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 180 });
  isClosed = false;
  readonly #audio = new AudioContext();
  readonly #sound = this.#audio.createMediaStreamDestination();
  readonly #painter: ReturnType<typeof setInterval>;

  constructor() {
    this.#painter = setInterval(() => this.#paint(), 50);
    window.fetch = async (input, init) => {
      // What a browser would have sent, with the type that it gives a text.
      const { url, headers } = new Request(input, init ?? {});
      const { token: told, view, ...body } = JSON.parse(String(init?.body));
      const token = headers.get('authorization')?.replace(/^Bearer /, '') ?? told;
      this.requests.push({ url, type: headers.get('content-type'), token, body });
      const { status, ...answer } = this.answer;
      const answered = status === 200 && view && this.begins ? await this.#begin(answer.body, view) : answer.body;
      return new Response(JSON.stringify(answered), { status, ...(answer.headers && { headers: answer.headers }) });
    };
    // A constructor cannot be an arrow, and this one must know the service.
    const open = (url: string): FakeSocket => new FakeSocket(url, this);
    window.WebSocket = function WebSocket(url: string) {
      return open(url);
    } as never;
  }

  /** The sockets that are open. */
  get open(): FakeSocket[] {
    return this.sockets.filter(({ readyState }) => readyState < 2);
  }

  tell(name: string, data: object): void {
    for (const socket of this.open) socket.receive({ type: 'event', name, data });
  }

  goLive(): void {
    this.isLive = true;
    this.tell('active', this.#active());
  }

  endStream(): void {
    this.isLive = false;
    this.tell('inactive', { streamId: 'acme/keynote', sourceId: null });
  }

  /** The yes to a call that carries an offer. */
  async #begin(yes: object, view: Record<string, unknown>): Promise<object> {
    this.commands.push({ name: 'view', data: view });
    const peer = new RTCPeerConnection();
    this.#begun.push(peer);
    const sdp = await this.#answer(peer, String(view['sdp']), true);
    const events = this.isLive ? [{ name: 'active', seq: 1, data: this.#active() }] : [];
    const { data } = yes as { data: object };
    return { ...yes, data: { ...data, view: { sdp, resumeToken: this.#resumeToken(), events } } };
  }

  #resumeToken(): string | undefined {
    const times = this.commands.filter(({ name }) => name === 'view' || name === 'publish').length;
    return this.resumes === 'no' ? undefined : `${this.resumes}-${times}`;
  }

  #active(): object {
    const tracks = [{ trackId: '0', media: 'video' }, ...(this.hasSound ? [{ trackId: '1', media: 'audio' }] : [])];
    return { streamId: 'acme/keynote', sourceId: null, tracks };
  }

  async handle(socket: FakeSocket, { transId, name, data = {} }: FakeCommand): Promise<void> {
    this.commands.push({ name, data });
    const respond = (answer: object) => socket.receive({ type: 'response', transId, data: answer });
    const refuse = (code: string) => socket.receive({ type: 'error', transId, data: 'It says no', code });
    if (name === 'view' || name === 'publish') {
      const peer = new RTCPeerConnection();
      this.#peers.set(socket, peer);
      const sdp = await this.#answer(peer, String(data['sdp']), name === 'view');
      respond({ sdp, sessionKey: `key-${this.sockets.length}`, resumeToken: this.#resumeToken() });
      if (name === 'view' && this.isLive) this.goLive();
    } else if (name === 'attach' && this.attaches) {
      this.#peers.set(socket, this.#begun.shift()!);
      respond({});
    } else if (name === 'attach') refuse('grant_spent');
    else if (this.refuses) refuse(this.refuses);
    else if (name === 'renew')
      respond({ sdp: await this.#answer(this.#peers.get(socket)!, String(data['sdp']), false) });
    else respond({});
  }

  /** Lets the media of a session die without a word, as a network does. */
  cutMedia(socket: FakeSocket): void {
    this.#peers.get(socket)?.close();
    // What renews it must find a peer that lives.
    this.#peers.set(socket, new RTCPeerConnection());
  }

  async #answer(peer: RTCPeerConnection, sdp: string, sends: boolean): Promise<string> {
    await peer.setRemoteDescription({ type: 'offer', sdp });
    if (sends) {
      const [track] = this.#canvas.captureStream(20).getVideoTracks();
      const video = peer.getTransceivers().find(({ receiver }) => receiver.track.kind === 'video')!;
      video.direction = 'sendonly';
      await video.sender.replaceTrack(track!);
      if (this.hasSound) {
        const audio = peer.getTransceivers().find(({ receiver }) => receiver.track.kind === 'audio')!;
        audio.direction = 'sendonly';
        await audio.sender.replaceTrack(this.#sound.stream.getAudioTracks()[0]!);
      }
    }
    await peer.setLocalDescription();
    while (peer.iceGatheringState !== 'complete') {
      await new Promise((resolve) => peer.addEventListener('icegatheringstatechange', resolve, { once: true }));
    }
    return peer.localDescription!.sdp;
  }

  /** Gives the page its own `fetch` and `WebSocket` back. */
  close(): void {
    this.isClosed = true;
    window.fetch = this.#fetch;
    window.WebSocket = this.#WebSocket;
    clearInterval(this.#painter);
    void this.#audio.close();
    for (const peer of [...this.#peers.values(), ...this.#begun]) peer.close();
  }

  #paint(): void {
    const context = this.#canvas.getContext('2d')!;
    context.fillStyle = `hsl(${Math.random() * 360} 90% 50%)`;
    context.fillRect(0, 0, 320, 180);
  }
}

interface FakeCommand {
  readonly transId: number;
  readonly name: string;
  readonly data?: Record<string, unknown>;
}

class FakeSocket extends EventTarget {
  readonly OPEN = 1;
  readyState = 0;
  /** How the client closed it; undefined: it did not, or without a code. */
  closeCode: number | undefined;
  readonly #service: FakeService;

  constructor(
    readonly url: string,
    service: FakeService,
  ) {
    super();
    this.#service = service;
    const isEarly = !url.includes('token=');
    if (!isEarly || service.takesEarly) service.sockets.push(this);
    void this.#open(isEarly);
  }

  async #open(isEarly: boolean): Promise<void> {
    await this.#service.doors;
    if (this.readyState !== 0) return;
    if (this.url.includes('token=refused') || (isEarly && !this.#service.takesEarly)) return this.close();
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }

  send(frame: string): void {
    this.#service.handle(this, JSON.parse(frame)).catch((error: unknown) => {
      // A test that ends closes the peers, in whatever they were.
      if (!this.#service.isClosed) throw error;
    });
  }

  receive(message: object): void {
    if (this.readyState !== 1) return;
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  }

  close(code?: number): void {
    if (this.readyState === 3) return;
    this.closeCode = code;
    this.readyState = 3;
    queueMicrotask(() => this.dispatchEvent(new Event('close')));
  }
}
