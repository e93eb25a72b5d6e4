import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { MediaError } from '../engine/media-error.js';
import type { TrackKind, VideoCodec } from '../engine/media-track.js';
import {
  JanusError,
  type HandleListener,
  type JanusConnection,
  type JanusHandle,
  type PluginAnswer,
} from './janus-connection.js';
import type { Jsep, PluginData } from './janus-message.js';

const PLUGIN = 'janus.plugin.videoroom';
/** The largest id that `randomInt` makes. Janus takes any positive number. */
const LARGEST_ROOM_ID = 2 ** 48 - 1;
/** Codecs that viewers are offered, in the order of preference. Janus gives each its own payload type. */
const VIDEO_CODECS: readonly VideoCodec[] = ['vp8', 'h264', 'vp9', 'av1'];

/** For at most two seconds. */
const LOOKS = 100;
const BETWEEN_LOOKS_MS = 20;

/** A track of a publisher in a room. */
export interface FeedTrack {
  readonly kind: TrackKind;
  readonly codec: string;
  readonly mid: string;
}

/** A publisher in a room. */
export interface Feed {
  readonly id: number;
  readonly tracks: readonly FeedTrack[];
}

export interface RoomPublisher {
  readonly feed: Feed;
  /** The SDP answer. */
  readonly answer: string;
  /** See `PublishingSession.limitBitrate`. The limit of the room holds beside it. */
  limitBitrate(maxBitrate: number | undefined): Promise<void>;
  close(): Promise<void>;
}

export interface RoomOptions {
  /** `admin_key` of janus.plugin.videoroom.jcfg. */
  readonly roomKey?: string | undefined;
  /** What publishers are asked to send at most, in bit/s. */
  readonly maxBitrate: number;
}

interface RoomCreation extends RoomOptions {
  /** The room does not exist any more. */
  readonly onLost: () => void;
}

/** One room of the videoroom plugin: private, with a secret and a pin that nobody else knows. */
export class VideoRoom {
  readonly connection: JanusConnection;
  readonly #handle: JanusHandle;
  readonly #id: number;
  readonly #maxBitrate: number;
  readonly #secret: string;
  readonly #pin: string;
  #dummy: Feed | undefined;

  /** @throws {MediaError} `engine_unavailable` */
  static async create(connection: JanusConnection, options: RoomCreation): Promise<VideoRoom> {
    const handle = await attach(connection, { onLost: options.onLost });
    const room = new VideoRoom(connection, handle, options.maxBitrate);
    try {
      await room.#create(options);
      return room;
    } catch (error) {
      void handle.detach();
      throw error;
    }
  }

  private constructor(connection: JanusConnection, handle: JanusHandle, maxBitrate: number) {
    this.connection = connection;
    this.#handle = handle;
    this.#maxBitrate = maxBitrate;
    this.#id = randomInt(1, LARGEST_ROOM_ID);
    this.#secret = randomBytes(24).toString('base64url');
    this.#pin = randomBytes(24).toString('base64url');
  }

  /** A publisher that sends nothing, with a track of each codec: what viewers are shown who wait. */
  get dummy(): Feed {
    if (!this.#dummy)
      throw new MediaError('engine_unavailable', 'the room of Janus has no publisher for viewers who wait');
    return this.#dummy;
  }

  async #create({ roomKey }: RoomOptions): Promise<void> {
    await this.#ask({
      request: 'create',
      admin_key: roomKey,
      secret: this.#secret,
      pin: this.#pin,
      is_private: true,
      publishers: 2,
      // Keyframes are requested when a viewer needs one.
      fir_freq: 0,
      audiocodec: 'opus',
      videocodec: VIDEO_CODECS.join(),
      dummy_publisher: true,
      videoorient_ext: true,
      playoutdelay_ext: true,
      transport_wide_cc_ext: true,
      bitrate: this.#maxBitrate,
    });
    const { participants } = await this.#ask({ request: 'listparticipants' });
    const dummy = recordsOf(participants).find((participant) => participant['dummy'] === true);
    const id = numberOf(dummy?.['id']);
    if (id === undefined)
      throw new MediaError('engine_unavailable', 'this Janus makes no dummy publisher: it is older than 1.1');
    // Its mids are the numbers of its tracks, sound first.
    const codecs = ['opus', ...VIDEO_CODECS];
    this.#dummy = {
      id,
      tracks: codecs.map((codec, index) => ({ kind: index ? 'video' : 'audio', codec, mid: String(index) })),
    };
  }

  /**
   * @param codec the video codec to accept. Undefined: the first of the room that the offer has
   * @throws {MediaError} `invalid_sdp`, `engine_unavailable`
   */
  async publish(offer: string, codec: VideoCodec | undefined, listener: HandleListener): Promise<RoomPublisher> {
    const handle = await attach(this.connection, listener);
    try {
      const body = { request: 'joinandconfigure', ptype: 'publisher', videocodec: codec };
      const { data, jsep } = await this.#request(handle, body, { type: 'offer', sdp: offer });
      const id = numberOf(data['id']);
      if (id === undefined || jsep?.type !== 'answer') throw malformed();
      return {
        feed: { id, tracks: tracksOf(data) },
        answer: jsep.sdp,
        limitBitrate: async (maxBitrate = Infinity) => {
          await this.#request(handle, { request: 'configure', bitrate: Math.min(this.#maxBitrate, maxBitrate) });
        },
        close: () => handle.detach(),
      };
    } catch (error) {
      void handle.detach();
      throw error;
    }
  }

  /**
   * Subscribes to the dummy publisher.
   * @returns the handle, the offer of Janus, and the tracks of the subscription
   * @throws {MediaError} `engine_unavailable`
   */
  async subscribe(listener: HandleListener): Promise<{ handle: JanusHandle; offer: string; tracks: FeedTrack[] }> {
    const handle = await attach(this.connection, listener);
    try {
      // Without `autoupdate`, a publisher who leaves does not change the m-lines of viewers.
      const body = {
        request: 'join',
        ptype: 'subscriber',
        autoupdate: false,
        use_msid: true,
        streams: [{ feed: this.dummy.id }],
      };
      const { data, jsep } = await this.#request(handle, body);
      if (jsep?.type !== 'offer') throw malformed();
      return { handle, offer: jsep.sdp, tracks: tracksOf(data) };
    } catch (error) {
      void handle.detach();
      throw error;
    }
  }

  /**
   * Makes a publisher of another Janus known here, which receives it as RTP.
   * @param iface the address that it binds to
   * @throws {MediaError} `engine_unavailable`
   */
  async addRemotePublisher(
    tracks: readonly FeedTrack[],
    iface: string,
  ): Promise<{ feed: Feed; port: number; rtcpPort: number }> {
    const streams = tracks.map(({ kind, codec, mid }, index) => ({ mid, mindex: index, type: kind, codec }));
    const data = await this.#ask({ request: 'add_remote_publisher', iface, streams });
    const [id, port, rtcpPort] = [numberOf(data['id']), numberOf(data['port']), numberOf(data['rtcp_port'])];
    if (id === undefined || port === undefined || rtcpPort === undefined) throw malformed();
    await this.#participantListed(id);
    // Janus numbers the tracks anew.
    return {
      feed: { id, tracks: tracks.map(({ kind, codec }, index) => ({ kind, codec, mid: String(index) })) },
      port,
      rtcpPort,
    };
  }

  /** Janus adds a remote publisher to the room after it has answered, in a thread of its own. */
  async #participantListed(id: number): Promise<void> {
    for (let looks = 0; looks < LOOKS; looks++) {
      const { participants } = await this.#ask({ request: 'listparticipants' });
      if (recordsOf(participants).some((participant) => participant['id'] === id)) return;
      await setTimeout(BETWEEN_LOOKS_MS);
    }
    throw new MediaError('engine_unavailable', 'Janus did not add a publisher of another Janus to the room');
  }

  async removeRemotePublisher(feed: Feed): Promise<void> {
    await this.#ask({ request: 'remove_remote_publisher', id: feed.id });
  }

  /**
   * Sends a publisher of this room to another Janus.
   * @throws {MediaError} `engine_unavailable`
   */
  async publishRemotely(
    feed: Feed,
    remoteId: string,
    target: { host: string; port: number; rtcpPort: number },
  ): Promise<void> {
    const { host, port, rtcpPort } = target;
    await this.#ask({
      request: 'publish_remotely',
      publisher_id: feed.id,
      remote_id: remoteId,
      host,
      port,
      rtcp_port: rtcpPort,
    });
  }

  async unpublishRemotely(feed: Feed, remoteId: string): Promise<void> {
    await this.#ask({ request: 'unpublish_remotely', publisher_id: feed.id, remote_id: remoteId });
  }

  /** Disconnects everybody. */
  async destroy(): Promise<void> {
    await this.#ask({ request: 'destroy' }).catch(() => {});
    await this.#handle.detach();
  }

  async #ask(body: PluginData): Promise<PluginData> {
    return (await this.#request(this.#handle, { secret: this.#secret, ...body })).data;
  }

  #request(handle: JanusHandle, body: PluginData, jsep?: Jsep): Promise<PluginAnswer> {
    return askPlugin(handle, { room: this.#id, pin: this.#pin, ...body }, jsep);
  }
}

/**
 * A request to the plugin, with its refusals as errors.
 * @throws {MediaError} `invalid_sdp`, `engine_unavailable`
 */
export async function askPlugin(handle: JanusHandle, body: PluginData, jsep?: Jsep): Promise<PluginAnswer> {
  const answer = await handle.request(body, jsep).catch(refused);
  const code = numberOf(answer.data['error_code']);
  if (code === undefined) return answer;
  throw refusal(code, String(answer.data['error']));
}

async function attach(connection: JanusConnection, listener?: HandleListener): Promise<JanusHandle> {
  return await connection.attach(PLUGIN, listener).catch(refused);
}

function refused(error: unknown): never {
  throw error instanceof JanusError ? refusal(error.code, error.message) : error;
}

/** Codes of Janus (apierror.h) and of its plugin for an SDP that cannot be used. */
const SDP_CODES: ReadonlySet<number> = new Set([437, 464, 465]);

function refusal(code: number, reason: string): MediaError {
  return SDP_CODES.has(code)
    ? new MediaError('invalid_sdp', `the SDP cannot be used: ${reason}`)
    : new MediaError('engine_unavailable', `Janus refused: ${reason} (${code})`);
}

const malformed = (): MediaError => new MediaError('engine_unavailable', 'the answer of Janus cannot be read');

/** The tracks of a publisher or of a subscription that are in use. */
function tracksOf(data: PluginData): FeedTrack[] {
  return recordsOf(data['streams']).flatMap(({ type, codec, mid, disabled }) =>
    (type === 'audio' || type === 'video') && typeof codec === 'string' && typeof mid === 'string' && disabled !== true
      ? [{ kind: type, codec, mid }]
      : [],
  );
}

const recordsOf = (value: unknown): PluginData[] =>
  Array.isArray(value) ? value.filter((item): item is PluginData => typeof item === 'object' && item !== null) : [];
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
