import {
  MESSAGE_SOURCE,
  type FrameCommand,
  type FrameEventType,
  type FrameMessage,
  type FrameState,
} from './frame-message.js';

/** Something that the player in the frame told. `message` holds what. */
export class StreamFrameEvent<Type extends FrameEventType = FrameEventType> extends Event {
  declare readonly type: Type;

  constructor(readonly message: FrameMessage<Type>) {
    super(message.type);
  }
}

type Listener<Heard extends Event> = ((event: Heard) => void) | { handleEvent(event: Heard): void } | null;

/** An `EventTarget` by the types of its events. */
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
 * The hosted viewer in an `<iframe>` of this page: tells what happens in it, and does what it is asked.
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

  /** @param iframe with an address of `/viewer` in its `src`, loaded or not */
  constructor(iframe: HTMLIFrameElement) {
    super();
    this.#iframe = iframe;
    addEventListener('message', (event) => this.#hear(event), { signal: this.#life.signal });
    // Of one that is there already; another tells it by itself as soon as it is.
    this.requestState();
  }

  /** What the player last told about itself. Undefined: nothing yet. */
  get state(): FrameState | undefined {
    return this.#state;
  }

  play(): void {
    this.#ask({ type: 'play' });
  }

  pause(): void {
    this.#ask({ type: 'pause' });
  }

  mute(): void {
    this.#ask({ type: 'mute' });
  }

  /** To be called from a click: browsers let nothing be heard before there was one. */
  unmute(): void {
    this.#ask({ type: 'unmute' });
  }

  /** @param volume 0 to 1 */
  setVolume(volume: number): void {
    this.#ask({ type: 'setVolume', volume });
  }

  /** It comes as the event `state`. */
  requestState(): void {
    this.#ask({ type: 'requestState' });
  }

  /** Listens no longer. The frame plays on. */
  close(): void {
    this.#life.abort();
  }

  #ask(command: FrameCommand): void {
    // To whatever is in the frame: a command is no secret, and one that is still loading has no origin to name.
    this.#iframe.contentWindow?.postMessage({ source: MESSAGE_SOURCE, ...command }, '*');
  }

  #hear({ source, origin, data }: MessageEvent): void {
    const { contentWindow, src } = this.#iframe;
    if (!source || source !== contentWindow || !URL.canParse(src) || origin !== new URL(src).origin) return;
    if (data?.source !== MESSAGE_SOURCE || typeof data.type !== 'string') return;
    const message = data as FrameMessage;
    if (message.type === 'state') this.#state = message;
    this.dispatchEvent(new StreamFrameEvent(message));
  }
}
