import { html, nothing, type ReactiveController, type TemplateResult } from 'lit';
import { viewerMessages } from '../../i18n/en.js';
import { MessagesController } from '../../i18n/messages-controller.js';
import type { Messages, RewindMessages, ViewerMessages } from '../../i18n/messages.js';
import { en as rewindMessages } from '../../i18n/rewind/messages/en.js';
import { addStyles } from '../../styled-element.js';
import type { Player } from '../controls/player.js';
import { onLivePicture, receiveLive, type SendCommand } from './live-media.js';
import { RefusedRewind, requestRewind } from './rewind-address.js';
import { RecordingPlayer } from './recording-player.js';
import { rewindBar } from './rewind-bar.js';
import { directionOf } from './rewind-keys.js';
import {
  clock,
  isBehind,
  isLoading,
  lengthOf,
  nextRewindState,
  timeOf,
  type RewindEvent,
  type RewindState,
} from './rewind-state.js';
import { rewindStyles } from './rewind-styles.js';
import { TimelinePreview } from './timeline-preview.js';

/** The tag, as far as a rewind uses it. */
export interface RewindHost extends Player {
  readonly endpoint: string;
  readonly accountId: string;
  readonly dvr: boolean;
  readonly messages: Partial<Messages>;
}

/** What the tag keeps to itself. */
export interface RewindContext {
  /** Of the server. */
  readonly origin: () => string;
  readonly command: SendCommand;
  /** Whether nothing shall play, because nobody can see it. */
  readonly isHidden: () => boolean;
}

/** How often the server is asked whether, and how long, the stream is recorded. */
const ASK_EVERY_MS = 15_000;
/** Closer to live, the playlist has nothing yet. */
const LIVE_WITHIN_S = 8;
const STEP_S = 10;
const RETRY_MS = 1_000;
const MOST_ATTEMPTS = 5;
/** There may be no live picture, such as on a network that carries the sound alone: the tag shows that it is so. */
const LIVE_PICTURE_MS = 3_000;
/** The playlist has more than what was played, if it is longer by this. */
const MORE_S = 0.5;

/**
 * Lets the visitor go back in a stream that is recorded. The recording plays as HLS in a second video over the live one,
 * which stays connected, but is sent nothing meanwhile.
 */
export class Rewind implements ReactiveController {
  readonly #host: RewindHost;
  readonly #live: HTMLVideoElement;
  readonly #context: RewindContext;
  readonly #messages: MessagesController<ViewerMessages & RewindMessages>;
  readonly #player = new RecordingPlayer({
    onPicture: () => this.#onPicture(),
    onTime: () => this.#host.requestUpdate(),
    onPaused: (isPaused) => isBehind(this.#state) && this.#setPaused(isPaused),
    onEnded: () => void this.#continue(),
    onFault: (fault) => (fault === 'broken' ? this.#onBroken() : this.#onUnsupported()),
  });
  readonly #preview = new TimelinePreview();
  #state: RewindState = { name: 'absent' };
  #phase = '';
  #isHidden = false;
  #speed = 1;
  /** Where the slider is held, in seconds. */
  #held: number | undefined;
  #asking: ReturnType<typeof setInterval> | undefined;
  #ticking: ReturnType<typeof setInterval> | undefined;
  /** What follows when no picture comes. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: RewindHost, live: HTMLVideoElement, context: RewindContext) {
    this.#host = host;
    this.#live = live;
    this.#context = context;
    this.#messages = new MessagesController(host, { ...viewerMessages, ...rewindMessages });
    addStyles(host.shadowRoot!, rewindStyles);

    host.addEventListener('play', () => this.#follow());
    host.addEventListener('pause', () => this.#follow());
    host.addEventListener('volumechange', () => this.#follow());
    host.addEventListener('keydown', (event) => this.#onKey(event));
    host.addController(this);
  }

  /** The video of the recording, while the visitor sees it. */
  get shown(): HTMLVideoElement | undefined {
    return isBehind(this.#state) ? this.#player.visible : undefined;
  }

  hostConnected(): void {
    this.#asking ??= setInterval(() => void this.#ask(), ASK_EVERY_MS);
    this.#ticking ??= setInterval(() => this.#tick(), 1_000);
  }

  hostDisconnected(): void {
    clearInterval(this.#asking);
    clearInterval(this.#ticking);
    this.#asking = this.#ticking = undefined;
    this.#leave();
    this.#state = { name: 'absent' };
    this.#phase = '';
  }

  hostUpdate(): void {
    const { phase, dvr } = this.#host;
    if (!dvr) this.#leave();
    const isHidden = this.#context.isHidden();
    if (isHidden !== this.#isHidden) {
      this.#isHidden = isHidden;
      this.#follow();
    }
    if (phase.name === this.#phase) return;
    this.#phase = phase.name;
    if (phase.name === 'idle' || (phase.name === 'rejected' && phase.reason !== 'stream_not_live')) {
      // The server permits nothing any more, and says why in the status of the tag.
      this.#leave();
      this.#state = { name: 'absent' };
    } else void this.#ask();
    if (phase.name === 'live' && isBehind(this.#state)) this.#setLive(false);
  }

  render(): TemplateResult | typeof nothing {
    const { dvr, controls } = this.#host;
    if (!dvr || !controls) return nothing;
    const { videos } = this.#player;
    for (const video of videos) video.toggleAttribute('data-hidden', video !== this.shown);
    const watched = {
      state: this.#state,
      time: this.#player.time,
      isLive: this.#phase === 'live',
      speed: this.#speed,
      held: this.#held,
    };
    const bar = rewindBar(
      watched,
      this.#messages,
      {
        seek: (time) => this.#seek(time),
        hold: (time) => this.#hold(time),
        point: (time) => this.#showPreview(time),
        release: () => setTimeout(() => this.#held !== undefined && this.#seek(this.#held)),
        setSpeed: (speed) => {
          this.#speed = speed;
          this.#follow();
        },
        goLive: () => this.#goLive(),
      },
      this.#preview.element,
    );
    return html`${videos}${bar}`;
  }

  /** What is live grows. */
  #tick(): void {
    if (!('address' in this.#state)) return;
    if (this.#held !== undefined) this.#showPreview(this.#held);
    this.#host.requestUpdate();
  }

  #hold(time: number | undefined): void {
    this.#held = time;
    this.#showPreview(time);
    this.#host.requestUpdate();
  }

  #showPreview(time: number | undefined): void {
    const state = this.#state;
    if (time === undefined || !('address' in state)) return this.#preview.hide();
    const { url, isLive } = state.address;
    const length = lengthOf(state.address, performance.now());
    const shown = isLive ? `-${clock(length - time)}` : clock(time);
    this.#preview.show(url, time, time / length, shown, this.#messages.current.dir);
  }

  async #ask(): Promise<void> {
    const { dvr, accountId, streamName, phase } = this.#host;
    if (!dvr || phase.name === 'idle' || phase.name === 'authorizing' || phase.name === 'connecting') return;
    const asked = this.#phase;
    try {
      const address = await requestRewind({
        endpoint: this.#context.origin(),
        accountId,
        streamName,
        ask: () => this.#context.command('rewind', {}),
      });
      // Nothing is added before the stream is live again.
      const found = address && { ...address, isLive: address.isLive && asked === 'live' };
      if (asked === this.#phase) this.#move({ type: 'found', address: found });
    } catch (error) {
      // Of a server that does not answer, the next question comes soon.
      if (!(error instanceof RefusedRewind) || asked !== this.#phase) return;
      if (error.isAbsent) return this.#move({ type: 'found', address: undefined });
      this.#leave();
      this.#move({ type: 'refused', code: error.code, sentence: error.message });
    }
  }

  #seek(time: number): void {
    this.#hold(undefined);
    const state = this.#state;
    if (!('address' in state)) return;
    const { isLive } = state.address;
    const length = lengthOf(state.address, performance.now());
    if (isLive && this.#phase === 'live' && time > length - LIVE_WITHIN_S) return this.#goLive();
    if (state.name === 'behind' && time < this.#player.length) this.#player.seek(time);
    else {
      this.#move({ type: state.name === 'behind' ? 'reload' : 'seek', time });
      if (this.#state !== state) this.#load();
    }
    this.#setPaused(false);
  }

  #load(): void {
    clearTimeout(this.#timer);
    const state = this.#state;
    if (isLoading(state)) this.#player.load(state.address.url, state.time);
    this.#host.requestUpdate();
  }

  #onPicture(): void {
    const wasBehind = isBehind(this.#state);
    this.#move({ type: 'picture' });
    if (!wasBehind) this.#setLive(false);
    this.#follow();
  }

  /** The player could not go on: the address expired, the network is away, or the server refuses now. */
  #onBroken(): void {
    const state = this.#state;
    this.#move({ type: 'broken', time: isLoading(state) ? state.time : this.#player.time });
    const next = this.#state;
    if (!isLoading(next) || next === state) return;
    clearTimeout(this.#timer);
    if (next.attempt > MOST_ATTEMPTS) return this.#goLive();
    // What was recorded may have become one file meanwhile, with other segments: that is no reason to wait.
    this.#timer = setTimeout(
      async () => {
        await this.#ask();
        this.#load();
      },
      RETRY_MS * (next.attempt - 1),
    );
  }

  #onUnsupported(): void {
    this.#leave();
    this.#move({ type: 'unsupported' });
  }

  /** Everything that was loaded is played: more may be recorded by now. */
  async #continue(): Promise<void> {
    await this.#ask();
    const state = this.#state;
    if (state.name !== 'behind') return;
    const { address } = state;
    const { time } = this.#player;
    const isAtLive = address.isLive && lengthOf(address, performance.now()) - time < LIVE_WITHIN_S;
    if (isAtLive || address.seconds - time < MORE_S) return this.#goLive();
    this.#move({ type: 'reload', time });
    this.#load();
  }

  #setLive(isOn: boolean): void {
    receiveLive(isOn, this.#host.audioOnly, this.#live, this.#context.command);
  }

  #setPaused(isPaused: boolean): void {
    const host = this.#host;
    if (isPaused) host.pause();
    else if (host.paused) host.play().catch(() => {});
  }

  /** Plays, pauses and sounds as the controls of the tag say. */
  #follow(): void {
    if (!isBehind(this.#state)) return;
    const { paused, muted, volume } = this.#host;
    this.#player.follow({ paused: paused || this.#isHidden, muted, volume, speed: this.#speed });
  }

  #goLive(): void {
    if (this.#phase !== 'live' || this.#state.name === 'loading') return this.#leave();
    this.#move({ type: 'return' });
    if (this.#state.name !== 'returning') return;
    this.#setLive(true);
    this.#setPaused(false);
    // The last picture of the recording stays until there is a live one: there is no black in between.
    const leave = () => this.#state.name === 'returning' && this.#leave();
    onLivePicture(this.#live, leave);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(leave, LIVE_PICTURE_MS);
  }

  /** Shows what is live again, or the status of the tag. */
  #leave(): void {
    clearTimeout(this.#timer);
    this.#held = undefined;
    this.#preview.hide();
    if (isBehind(this.#state)) this.#setLive(true);
    this.#move({ type: 'left' });
    this.#speed = 1;
    this.#player.stop();
  }

  #onKey(event: KeyboardEvent): void {
    const { controls, noHotkeys } = this.#host;
    const state = this.#state;
    if (!controls || !('address' in state) || (state.name === 'ready' && this.#phase !== 'live')) return;
    const direction = directionOf(event, noHotkeys, this.#messages.current.dir);
    if (direction === 0) return;
    event.preventDefault();
    const time = timeOf(state, lengthOf(state.address, performance.now()), this.#player.time);
    this.#seek(Math.max(0, time + direction * STEP_S));
  }

  #move(event: RewindEvent): void {
    const before = this.#state;
    this.#state = nextRewindState(before, event);
    if (this.#state !== before) this.#host.requestUpdate();
  }
}
