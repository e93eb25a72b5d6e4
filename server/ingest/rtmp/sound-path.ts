import type { AddedTracks, SourceFrame } from '../../media/engine/media-track.js';
import type { AacConfig } from '../../rtmp/aac-config.js';
import type { OpenOpusTranscoder, OpusTranscoder } from './transcoders/opus-transcoder.js';
import { RestartBudget } from './transcoders/restart-budget.js';

export interface SoundPathOptions {
  /** Undefined: there is no program for it, and AAC is left out. */
  readonly openTranscoder: OpenOpusTranscoder | undefined;
  readonly onFrame: (frame: SourceFrame) => void;
  /** A transcoder ended. Another is started with the next frame, unless they end too often. @param reason for the operator */
  readonly onTranscoderEnd: (reason: string) => void;
  /** AAC comes, and no transcoder works; or one works again. Called when it changes. */
  readonly onFailing: (isFailing: boolean) => void;
}

type Sound = { readonly codec: 'aac'; readonly config: AacConfig } | { readonly codec: 'opus' };

/** The sound of one encoder on its way to the media engine: Opus as it came, AAC turned into Opus. */
export class SoundPath {
  readonly #options: SoundPathOptions;
  readonly #starts = new RestartBudget();
  #sound: Sound | undefined;
  #transcoder: OpusTranscoder | undefined;
  #isFailing = false;
  #isClosed = false;

  constructor(options: SoundPathOptions) {
    this.#options = options;
  }

  /** Whether the encoder sends sound. */
  get isKnown(): boolean {
    return this.#sound !== undefined;
  }

  /** Whether there is sound that cannot be turned into Opus. */
  get needsTranscoder(): boolean {
    return this.#sound?.codec === 'aac' && !this.#options.openTranscoder;
  }

  /** Undefined: there is no sound that viewers can hear. */
  get track(): AddedTracks['audio'] {
    return this.#sound && !this.needsTranscoder ? { codec: 'opus' } : undefined;
  }

  configure(sound: Sound): void {
    const known = this.#sound;
    this.#sound = sound;
    // Another configuration needs another decoder.
    if (known?.codec === 'aac' && sound.codec === 'aac' && known.config.bytes.equals(sound.config.bytes)) return;
    this.#transcoder?.close();
    this.#transcoder = undefined;
  }

  write(codec: Sound['codec'], data: Buffer, timestampMs: number): void {
    if (codec === 'aac') return this.#transcode(data, timestampMs);
    this.#sound ??= { codec: 'opus' };
    this.#give(data, timestampMs);
  }

  close(): void {
    this.#isClosed = true;
    this.#transcoder?.close();
    this.#transcoder = undefined;
  }

  #transcode(data: Buffer, timestampMs: number): void {
    if (this.#sound?.codec !== 'aac' || !this.#options.openTranscoder || this.#isClosed) return;
    this.#transcoder ??= this.#start(this.#options.openTranscoder, this.#sound.config, timestampMs);
    this.#transcoder?.write(data, timestampMs);
  }

  #start(open: OpenOpusTranscoder, config: AacConfig, timestampMs: number): OpusTranscoder | undefined {
    if (!this.#starts.take(timestampMs)) {
      this.#fail(true);
      return undefined;
    }
    const transcoder = open(config, {
      onPacket: (data, packetMs) => {
        this.#fail(false);
        this.#give(data, packetMs);
      },
      onEnd: (reason) => {
        if (this.#transcoder === transcoder) this.#transcoder = undefined;
        this.#options.onTranscoderEnd(reason);
      },
    });
    return transcoder;
  }

  #give(data: Buffer, timestampMs: number): void {
    if (!this.#isClosed) this.#options.onFrame({ kind: 'audio', data, isKeyframe: true, timestampMs });
  }

  #fail(isFailing: boolean): void {
    if (this.#isFailing === isFailing) return;
    this.#isFailing = isFailing;
    this.#options.onFailing(isFailing);
  }
}
