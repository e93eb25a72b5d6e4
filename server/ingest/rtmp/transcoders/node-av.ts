/**
 * What is used of the package `node-av`, FFmpeg in this process. It is never a dependency: the libraries inside it are
 * under the GPL, and it has 170 MB. Operators can install it; docs/operating/rtmp.md says how.
 */
export interface NodeAv {
  readonly Codec: {
    findDecoder(id: number): unknown;
    findEncoderByName(name: string): unknown;
  };
  readonly CodecContext: new () => CodecContext;
  readonly Packet: new () => Packet;
  readonly Frame: (new () => Frame) & {
    fromAudioBuffer(samples: Buffer, properties: AudioProperties): Frame;
  };
  readonly Rational: new (numerator: number, denominator: number) => unknown;
  readonly SoftwareResampleContext: new () => ResampleContext;
  readonly Log: { setLevel(level: number): void };
}

interface AudioProperties {
  readonly nbSamples: number;
  readonly format: number;
  readonly sampleRate: number;
  readonly channelLayout: ChannelLayout;
  readonly pts: bigint;
}

export interface ChannelLayout {
  readonly nbChannels: number;
  readonly order: number;
  readonly mask: bigint;
}

interface Disposable {
  [Symbol.dispose](): void;
}

/** Results below 0 are the errors of FFmpeg. */
export interface CodecContext extends Disposable {
  extraData: Buffer | null;
  sampleRate: number;
  sampleFormat: number;
  channelLayout: ChannelLayout;
  timeBase: unknown;
  bitRate: bigint;
  allocContext3(codec: unknown): void;
  open2(codec: unknown): Promise<number>;
  sendPacket(packet: Packet): Promise<number>;
  receiveFrame(frame: Frame): Promise<number>;
  sendFrame(frame: Frame): Promise<number>;
  receivePacket(packet: Packet): Promise<number>;
}

export interface Packet extends Disposable {
  data: Buffer | null;
  alloc(): void;
  unref(): void;
}

export interface Frame extends Disposable {
  readonly nbSamples: number;
  readonly format: number;
  readonly sampleRate: number;
  readonly channelLayout: ChannelLayout;
  readonly extendedData: Buffer[] | null;
  alloc(): void;
  unref(): void;
}

export interface ResampleContext extends Disposable {
  allocSetOpts2(
    outLayout: ChannelLayout,
    outFormat: number,
    outRate: number,
    inLayout: ChannelLayout,
    inFormat: number,
    inRate: number,
  ): number;
  init(): number;
  getOutSamples(inSamples: number): number;
  convert(out: Buffer[], outSamples: number, input: Buffer[], inSamples: number): Promise<number>;
}

/** FFmpeg's `AV_LOG_QUIET`. It writes to the standard error of this process otherwise. */
const QUIET = -8;
/** A name that the compiler does not resolve: the package is usually not there. */
const PACKAGE: string = 'node-av';

/** @returns undefined: it is not installed @throws {Error} it cannot be loaded, for example on another system */
export async function importNodeAv(name = PACKAGE): Promise<unknown> {
  try {
    return await import(name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** Another version can have other names, which is found here and not while somebody publishes. @throws {Error} */
export function preparedNodeAv(found: unknown): NodeAv {
  const names = ['Codec', 'CodecContext', 'Packet', 'Frame', 'Rational', 'SoftwareResampleContext', 'Log'];
  const missing = names.filter((name) => typeof (found as Record<string, unknown>)[name] !== 'function');
  if (missing.length > 0) throw new Error(`this version of node-av has no ${missing.join(', ')}`);
  const av = found as NodeAv;
  av.Log.setLevel(QUIET);
  return av;
}
