/** The next answer of the fake director. */
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
 * The server, inside the page: the director behind `fetch`, the signalling behind `WebSocket`, and an RTCPeerConnection
 * of the same browser at the other end of the media. WebRTC is real; HTTP and websockets are not.
 */
export class FakeService {
  /** The answer to every call of the director. */
  answer: Answer = granted;
  /** Whether the stream is live. */
  isLive = true;
  /** Whether viewers receive sound. */
  hasSound = false;
  /** How often viewers are to report what they saw. Undefined: never. */
  reportSeconds: number | undefined;
  /** Whether sessions get a resume token, and whether the server accepts it. */
  resumes: 'no' | 'refused' | 'yes' = 'no';
  /** Whether a websocket opens without a grant. If not, such websockets are not in `sockets`. */
  acceptsPreconnect = false;
  /** Whether the director reads the offer of a viewer and starts the session. */
  begins = true;
  /** Whether a websocket can be attached to a session that the director started. */
  attaches = true;
  /** Websockets open when this resolves. */
  opening: Promise<unknown> = Promise.resolve();
  /** The refusal code of every command except `view` and `publish`. Undefined: none is refused. */
  refuses: string | undefined;
  /** `token` from the header or the body; `body` without the token and the offer. */
  readonly requests: { url: string; type: string | null; token: string | undefined; body: unknown }[] = [];
  readonly sockets: FakeSocket[] = [];
  /** The commands, in order. A `view` in the director's call counts, too. */
  readonly commands: { name: string; data: Record<string, unknown> }[] = [];
  readonly #peers = new Map<FakeSocket, RTCPeerConnection>();
  /** The connections of sessions without a websocket. */
  readonly #pending: RTCPeerConnection[] = [];
  readonly #fetch = window.fetch;
  readonly #WebSocket = window.WebSocket;
  readonly #canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 180 });
  isClosed = false;
  /** Undefined until a viewer gets sound. */
  #audio: AudioContext | undefined;
  readonly #painter: ReturnType<typeof setInterval>;
  #hasVideo = true;
  readonly #pictures = new Map<RTCRtpSender, MediaStreamTrack>();

  constructor() {
    this.#painter = setInterval(() => this.#paint(), 50);
    window.fetch = async (input, init) => {
      // A real Request has the headers that the browser would send, such as the content type of a text.
      const { url, headers } = new Request(input, init ?? {});
      const { token: bodyToken, view, ...body } = JSON.parse(String(init?.body));
      const token = headers.get('authorization')?.replace(/^Bearer /, '') ?? bodyToken;
      this.requests.push({ url, type: headers.get('content-type'), token, body });
      const { status, ...answer } = this.answer;
      const answered = status === 200 && view && this.begins ? await this.#begin(answer.body, view) : answer.body;
      return new Response(JSON.stringify(answered), { status, ...(answer.headers && { headers: answer.headers }) });
    };
    // A constructor cannot be an arrow function.
    const open = (url: string): FakeSocket => new FakeSocket(url, this);
    window.WebSocket = function WebSocket(url: string) {
      return open(url);
    } as never;
  }

  /** Whether the stream has a picture. */
  get hasVideo(): boolean {
    return this.#hasVideo;
  }

  set hasVideo(hasVideo: boolean) {
    this.#hasVideo = hasVideo;
    for (const [sender, track] of this.#pictures) void sender.replaceTrack(hasVideo ? track : null);
  }

  /** The sockets that are open. */
  get open(): FakeSocket[] {
    return this.sockets.filter(({ readyState }) => readyState < 2);
  }

  sendEvent(name: string, data: object): void {
    for (const socket of this.open) socket.receive({ type: 'event', name, data });
  }

  goLive(): void {
    this.isLive = true;
    this.sendEvent('active', this.#active());
  }

  endStream(): void {
    this.isLive = false;
    this.sendEvent('inactive', { streamId: 'acme/keynote', sourceId: null });
  }

  /** The grant for a call that carries an offer. */
  async #begin(body: object, view: Record<string, unknown>): Promise<object> {
    this.commands.push({ name: 'view', data: view });
    const peer = new RTCPeerConnection();
    this.#pending.push(peer);
    const sdp = await this.#answer(peer, String(view['sdp']), true);
    const events = this.isLive ? [{ name: 'active', seq: 1, data: this.#active() }] : [];
    const { data } = body as { data: object };
    return { ...body, data: { ...data, view: { sdp, resumeToken: this.#resumeToken(), events, ...this.#reports } } };
  }

  get #reports(): object {
    return this.reportSeconds === undefined ? {} : { reportSeconds: this.reportSeconds };
  }

  #resumeToken(): string | undefined {
    const times = this.commands.filter(({ name }) => name === 'view' || name === 'publish').length;
    return this.resumes === 'no' ? undefined : `${this.resumes}-${times}`;
  }

  #active(): object {
    const tracks = [
      ...(this.hasVideo ? [{ trackId: '0', media: 'video' }] : []),
      ...(this.hasSound ? [{ trackId: '1', media: 'audio' }] : []),
    ];
    return { streamId: 'acme/keynote', sourceId: null, tracks };
  }

  async handle(socket: FakeSocket, { transId, name, data = {} }: FakeCommand): Promise<void> {
    this.commands.push({ name, data });
    const respond = (answer: object) => socket.receive({ type: 'response', transId, data: answer });
    const refuse = (code: string) => socket.receive({ type: 'error', transId, data: 'Refused', code });
    if (name === 'view' || name === 'publish') {
      const peer = new RTCPeerConnection();
      this.#peers.set(socket, peer);
      const sdp = await this.#answer(peer, String(data['sdp']), name === 'view');
      respond({ sdp, sessionKey: `key-${this.sockets.length}`, resumeToken: this.#resumeToken(), ...this.#reports });
      if (name === 'view' && this.isLive) this.goLive();
    } else if (name === 'attach' && this.attaches) {
      this.#peers.set(socket, this.#pending.shift()!);
      respond({});
    } else if (name === 'attach') refuse('grant_spent');
    else if (this.refuses) refuse(this.refuses);
    else if (name === 'renew')
      respond({ sdp: await this.#answer(this.#peers.get(socket)!, String(data['sdp']), false) });
    else respond({});
  }

  /** Closes the media connection of a session. */
  cutMedia(socket: FakeSocket): void {
    this.#peers.get(socket)?.close();
    // A renewal needs an open connection.
    this.#peers.set(socket, new RTCPeerConnection());
  }

  async #answer(peer: RTCPeerConnection, sdp: string, sends: boolean): Promise<string> {
    await peer.setRemoteDescription({ type: 'offer', sdp });
    if (sends) {
      const [track] = this.#canvas.captureStream(20).getVideoTracks();
      const video = peer.getTransceivers().find(({ receiver }) => receiver.track.kind === 'video');
      if (video) video.direction = 'sendonly';
      if (video) this.#pictures.set(video.sender, track!);
      if (this.hasVideo) await video?.sender.replaceTrack(track!);
      if (this.hasSound) {
        const audio = peer.getTransceivers().find(({ receiver }) => receiver.track.kind === 'audio')!;
        audio.direction = 'sendonly';
        this.#audio ??= new AudioContext();
        const sound = this.#audio.createMediaStreamDestination();
        await audio.sender.replaceTrack(sound.stream.getAudioTracks()[0]!);
      }
    }
    await peer.setLocalDescription();
    while (peer.iceGatheringState !== 'complete') {
      await new Promise((resolve) => peer.addEventListener('icegatheringstatechange', resolve, { once: true }));
    }
    return peer.localDescription!.sdp;
  }

  /** Restores `fetch` and `WebSocket` of the page. */
  close(): void {
    this.isClosed = true;
    window.fetch = this.#fetch;
    window.WebSocket = this.#WebSocket;
    clearInterval(this.#painter);
    void this.#audio?.close();
    for (const peer of [...this.#peers.values(), ...this.#pending]) peer.close();
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
  /** The close code of the client. Undefined: none, or the socket is open. */
  closeCode: number | undefined;
  readonly #service: FakeService;

  constructor(
    readonly url: string,
    service: FakeService,
  ) {
    super();
    this.#service = service;
    const isPreconnect = !url.includes('token=');
    if (!isPreconnect || service.acceptsPreconnect) service.sockets.push(this);
    void this.#open(isPreconnect);
  }

  async #open(isPreconnect: boolean): Promise<void> {
    await this.#service.opening;
    if (this.readyState !== 0) return;
    if (this.url.includes('token=refused') || (isPreconnect && !this.#service.acceptsPreconnect)) return this.close();
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }

  send(frame: string): void {
    this.#service.handle(this, JSON.parse(frame)).catch((error: unknown) => {
      // The end of a test closes the connections in any state.
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
