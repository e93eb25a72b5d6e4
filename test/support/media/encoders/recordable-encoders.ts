import { spawn } from 'node:child_process';
import {
  Audio,
  H264RtpPacketizer,
  PeerConnection,
  RtcpSrReporter,
  RtpPacketizationConfig,
  RtpPacketizer,
  Video,
} from 'node-datachannel';
import { chromium } from 'playwright';
import puppeteer from 'puppeteer-core';
import { browserArguments, findBrowser } from '../../../../scripts/find-browser.js';
import { ALLOWS, firefoxLaunchOptions } from '../../../../scripts/find-firefox.js';
import type * as Streamgate from '../../../../src/cdn.js';
import type { Cleanup } from '../../cleanup.js';
import { endProgram } from '../../program.js';
import { words, ffmpegOutput } from '../../run-encoder.js';

export interface StartedEncoder {
  stop(): Promise<unknown>;
}

export interface Target {
  readonly origin: string;
  readonly token: string;
}

interface BrowserVideo {
  readonly codec: Streamgate.VideoCodec;
  readonly simulcast?: boolean;
  /** As the page of the client that publishes would not ask for it (WebRTC SVC). */
  readonly scalabilityMode?: string;
  readonly height?: number;
  readonly maxBitrate?: number;
}

const SMALL = { height: 180, maxBitrate: 100_000 };
/** The smallest of which browsers make three sizes. */
const LARGE = { height: 540, maxBitrate: 360_000 };

/** With less, Chromium leaves the largest layer out. */
const LAYERED = { height: 540, maxBitrate: 1_200_000 };

/** By the name of their recording. */
export function openRecordableEncoders(target: Target, cleanup: Cleanup) {
  const chromiumPage = (video: BrowserVideo) => (name: string) => publishInChromium(target, name, video, cleanup);
  const firefoxPage = (video: BrowserVideo) => (name: string) => publishInFirefox(target, name, video, cleanup);
  return {
    'chromium-vp8': chromiumPage({ codec: 'vp8', ...SMALL }),
    'chromium-h264': chromiumPage({ codec: 'h264', ...SMALL }),
    'chromium-vp9': chromiumPage({ codec: 'vp9', ...SMALL }),
    'chromium-av1': chromiumPage({ codec: 'av1', ...SMALL }),
    'chromium-vp8-simulcast': chromiumPage({ codec: 'vp8', simulcast: true, ...LARGE }),
    'chromium-h264-simulcast': chromiumPage({ codec: 'h264', simulcast: true, ...LARGE }),
    'chromium-vp9-simulcast': chromiumPage({ codec: 'vp9', simulcast: true, ...LARGE }),
    'chromium-vp9-L3T3_KEY': chromiumPage({ codec: 'vp9', scalabilityMode: 'L3T3_KEY', ...LAYERED }),
    'chromium-av1-L3T3_KEY': chromiumPage({ codec: 'av1', scalabilityMode: 'L3T3_KEY', ...LAYERED }),
    'firefox-vp8': firefoxPage({ codec: 'vp8', ...SMALL }),
    'firefox-vp8-simulcast': firefoxPage({ codec: 'vp8', simulcast: true, ...LARGE }),
    'libdatachannel-h264': (name: string) => publishAsObs(target, name),
    'gstreamer-vp8': (name: string) => publishInGstreamer(target, name, 'vp8'),
    'gstreamer-h264': (name: string) => publishInGstreamer(target, name, 'h264'),
  };
}

async function publishInChromium(
  target: Target,
  streamName: string,
  video: BrowserVideo,
  cleanup: Cleanup,
): Promise<StartedEncoder> {
  const browser = await chromium.launch({
    args: [...browserArguments, '--autoplay-policy=no-user-gesture-required'],
    executablePath: findBrowser()!,
  });
  cleanup.after(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`${target.origin}/healthz`);
  await page.evaluate(publishInPage, { ...target, streamName, ...video });
  return { stop: () => browser.close() };
}

async function publishInFirefox(
  target: Target,
  streamName: string,
  video: BrowserVideo,
  cleanup: Cleanup,
): Promise<StartedEncoder> {
  const browser = await puppeteer.launch(firefoxLaunchOptions({ ...ALLOWS, 'media.autoplay.default': 0 }));
  cleanup.after(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`${target.origin}/healthz`);
  await page.evaluate(publishInPage, { ...target, streamName, ...video });
  return { stop: () => browser.close() };
}

/** Runs in the page: a picture that changes little, and a soft tone. */
async function publishInPage({
  origin,
  token,
  streamName,
  codec,
  simulcast = false,
  scalabilityMode,
  height = 180,
  maxBitrate,
}: Target & BrowserVideo & { readonly streamName: string }): Promise<void> {
  const file = '/streamgate.js';
  const { Broadcaster } = (await import(file)) as typeof Streamgate;
  if (scalabilityMode) {
    const withMode = (encodings: readonly RTCRtpEncodingParameters[]): RTCRtpEncodingParameters[] =>
      encodings.map((encoding) => Object.assign({ ...encoding }, { scalabilityMode }));
    const { addTransceiver } = RTCPeerConnection.prototype;
    RTCPeerConnection.prototype.addTransceiver = function (track, init = {}) {
      const isVideo = typeof track !== 'string' && track.kind === 'video';
      return addTransceiver.call(
        this,
        track,
        isVideo ? { ...init, sendEncodings: withMode([maxBitrate === undefined ? {} : { maxBitrate }]) } : init,
      );
    };
    const { setParameters } = RTCRtpSender.prototype;
    RTCRtpSender.prototype.setParameters = function (parameters, ...more) {
      return setParameters.call(this, { ...parameters, encodings: withMode(parameters.encodings) }, ...more);
    };
  }
  const canvas = Object.assign(document.createElement('canvas'), { width: (height * 16) / 9, height });
  const context = canvas.getContext('2d')!;
  let drawn = 0;
  const draw = (): void => {
    context.fillStyle = '#246';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.fillStyle = '#fa3';
    context.fillRect((drawn++ * 16) % canvas.width, height / 3, height / 6, height / 6);
  };
  draw();
  setInterval(draw, 100);
  const audio = new AudioContext();
  const sound = audio.createMediaStreamDestination();
  const tone = audio.createOscillator();
  tone.connect(sound);
  tone.start();
  const media = new MediaStream([...canvas.captureStream(10).getTracks(), ...sound.stream.getTracks()]);
  const broadcaster = new Broadcaster();
  broadcaster.start({ endpoint: origin, accountId: 'main', streamName, token, media, codec, simulcast, maxBitrate });
}

/** Sends `frames` of raw H.264 and Opus through libdatachannel, with its packetizers, as OBS Studio does. */
async function publishAsObs({ origin, token }: Target, streamName: string): Promise<StartedEncoder> {
  const picture = words('-f lavfi -i testsrc=size=320x180:rate=10:duration=8 -pix_fmt yuv420p');
  const x264 = words('-c:v libx264 -preset veryfast -b:v 100k -g 10 -bf 0 -bsf:v h264_metadata=aud=insert -f h264 -');
  const frames = unitsOf(await ffmpegOutput([...picture, ...x264]));
  const tone = words('-f lavfi -i sine=frequency=440:sample_rate=48000:duration=8 -c:a libopus -ac 2 -b:a 24k');
  const packets = opusOf(await ffmpegOutput([...tone, ...words('-page_duration 1 -f ogg -')]));

  const connection = new PeerConnection('encoder', {
    iceServers: [],
    bindAddress: '127.0.0.1',
    disableAutoNegotiation: true,
  });
  connection.onStateChange(() => {});
  const audio = new Audio('0', 'SendOnly');
  audio.addOpusCodec(111);
  audio.addSSRC(1111, 'encoder', 'stream', 'audio');
  const video = new Video('1', 'SendOnly');
  video.addH264Codec(96);
  video.addSSRC(2222, 'encoder', 'stream', 'video');
  const [audioTrack, videoTrack] = [connection.addTrack(audio), connection.addTrack(video)];
  const audioRtp = new RtpPacketizationConfig(1111, 'encoder', 111, 48_000);
  const videoRtp = new RtpPacketizationConfig(2222, 'encoder', 96, 90_000);
  const audioPacketizer = new RtpPacketizer(audioRtp);
  audioPacketizer.addToChain(new RtcpSrReporter(audioRtp));
  audioTrack.setMediaHandler(audioPacketizer);
  const videoPacketizer = new H264RtpPacketizer('StartSequence', videoRtp);
  videoPacketizer.addToChain(new RtcpSrReporter(videoRtp));
  videoTrack.setMediaHandler(videoPacketizer);
  await new Promise<void>((resolve) => {
    connection.onGatheringStateChange((state) => state === 'complete' && resolve());
    connection.setLocalDescription('offer');
  });
  const response = await fetch(`${origin}/api/whip/${streamName}`, {
    method: 'POST',
    headers: { 'content-type': 'application/sdp', authorization: `Bearer ${token}` },
    body: connection.localDescription()!.sdp,
  });
  const open = [audioTrack, videoTrack].map((track) => new Promise<void>((resolve) => track.onOpen(resolve)));
  connection.setRemoteDescription(await response.text(), 'answer');
  await Promise.all(open);

  const began = performance.now();
  let [sentFrames, sentPackets] = [0, 0];
  const timer = setInterval(() => {
    const now = performance.now() - began;
    for (; sentPackets * 20 <= now && packets[sentPackets]; sentPackets++) {
      audioRtp.timestamp = sentPackets * 960;
      audioTrack.sendMessageBinary(packets[sentPackets]!);
    }
    for (; sentFrames * 100 <= now && frames[sentFrames]; sentFrames++) {
      videoRtp.timestamp = sentFrames * 9_000;
      videoTrack.sendMessageBinary(frames[sentFrames]!);
    }
  }, 5);
  return {
    stop: async () => {
      clearInterval(timer);
      connection.close();
    },
  };
}

/** The access units of H.264 in Annex B, without the delimiters that begin them. */
function unitsOf(stream: Buffer): Buffer[] {
  const delimiter = Buffer.from([0, 0, 0, 1, 9]);
  const units: Buffer[] = [];
  for (let at = stream.indexOf(delimiter); at >= 0;) {
    const next = stream.indexOf(delimiter, at + 1);
    units.push(stream.subarray(at + delimiter.length + 1, next < 0 ? undefined : next));
    at = next;
  }
  return units;
}

/** The packets of Ogg Opus without its two headers. Each page has one packet. */
function opusOf(ogg: Buffer): Buffer[] {
  const packets: Buffer[] = [];
  for (let at = 0; at < ogg.length;) {
    const segments = ogg.subarray(at + 27, at + 27 + ogg[at + 26]!);
    const start = at + 27 + segments.length;
    let [length, end] = [0, start];
    for (const segment of segments) {
      length += segment;
      if (segment === 255) continue;
      packets.push(ogg.subarray(end, end + length));
      end += length;
      length = 0;
    }
    at = end + length;
  }
  return packets.slice(2);
}

async function publishInGstreamer(
  { origin, token }: Target,
  streamName: string,
  codec: string,
): Promise<StartedEncoder> {
  const script = new URL('gstreamer.py', import.meta.url).pathname;
  const args = [script, `${origin}/api/whip/${streamName}`, token, codec];
  const child = spawn('/usr/bin/python3', args, { stdio: ['ignore', 'inherit', 'inherit'] });
  return {
    stop: () => endProgram(child),
  };
}
