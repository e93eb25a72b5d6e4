import {
  MESSAGE_SOURCE,
  type FrameCommand,
  type FrameEventType,
  type FrameMessage,
  type FrameState,
} from './frame-message.js';

/** A message of the player in the frame. */
export class StreamFrameEvent<Type extends FrameEventType = FrameEventType> extends Event {
  declare readonly type: Type;

  constructor(readonly message: FrameMessage<Type>) {
    super(message.type);
  }
}

type Listener<Received extends Event> = ((event: Received) => void) | { handleEvent(event: Received): void } | null;

/** An `EventTarget` with typed events. */
interface FrameEvents extends EventTarget {
  addEventListener<Type extends FrameEventType>(
    type: Type,
    listener: Listener<StreamFrameEvent<Type>>,
    options?: AddEventListenerOptions | boolean,
  ): void;
  addEventListener(type: string, listener: Listener<Event>, options?: AddEventListenerOptions | boolean): void;
  removeEventListener<Type extends FrameEventType>(
    type: Type,
    listener: Listener<StreamFrameEvent<Type>>,
    options?: EventListenerOptions | boolean,
  ): void;
  removeEventListener(type: string, listener: Listener<Event>, options?: EventListenerOptions | boolean): void;
}

const FrameEventTarget = EventTarget as { new (): FrameEvents; prototype: FrameEvents };

/**
 * Controls the hosted viewer in an `<iframe>` of this page, and dispatches its messages as events.
 *
 * ```js
 * const frame = new StreamFrame(document.querySelector('iframe'));
 * frame.addEventListener('live', ({ message }) => console.log(`${message.streamName} is live`));
 * frame.mute();
 * ```
 */
export class StreamFrame extends FrameEventTarget {
  readonly #iframe: HTMLIFrameElement;
  readonly #life = new AbortController();
  #state: FrameState | undefined;

  /** @param iframe a frame whose `src` is a URL of `/viewer`, loaded or not */
  constructor(iframe: HTMLIFrameElement) {
    super();
    this.#iframe = iframe;
    addEventListener('message', (event) => this.#handleMessage(event), { signal: this.#life.signal });
    // Only for a player that has already loaded. Any other player sends its state when it has loaded.
    this.requestState();
  }

  /** The last state that the player has sent. Undefined before the first one. */
  get state(): FrameState | undefined {
    return this.#state;
  }

  play(): void {
    this.#send({ type: 'play' });
  }

  pause(): void {
    this.#send({ type: 'pause' });
  }

  mute(): void {
    this.#send({ type: 'mute' });
  }

  /** Call it in the handler of a click: browsers do not allow sound before the first click. */
  unmute(): void {
    this.#send({ type: 'unmute' });
  }

  /** @param volume 0 to 1 */
  setVolume(volume: number): void {
    this.#send({ type: 'setVolume', volume });
  }

  /** Tries again after a refusal or a failure. */
  retry(): void {
    this.#send({ type: 'retry' });
  }

  /** The player answers with the event `state`. */
  requestState(): void {
    this.#send({ type: 'requestState' });
  }

  /** Stops listening. The player continues. */
  close(): void {
    this.#life.abort();
  }

  #send(command: FrameCommand): void {
    // To any origin: a command is not secret, and a frame that is loading has no origin yet.
    this.#iframe.contentWindow?.postMessage({ source: MESSAGE_SOURCE, ...command }, '*');
  }

  #handleMessage({ source, origin, data }: MessageEvent): void {
    const { contentWindow, src } = this.#iframe;
    if (!source || source !== contentWindow || !URL.canParse(src) || origin !== new URL(src).origin) return;
    if (data?.source !== MESSAGE_SOURCE || typeof data.type !== 'string') return;
    const message = data as FrameMessage;
    if (message.type === 'state') this.#state = message;
    this.dispatchEvent(new StreamFrameEvent(message));
  }
}
