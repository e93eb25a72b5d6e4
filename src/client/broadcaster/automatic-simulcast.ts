import { LARGEST } from './send-encodings.js';

/** What the browser says of the largest encoding, and of the network (W3C webrtc-stats). */
export interface SendingFacts {
  /** `qualityLimitationReason`. Here as below, undefined: the browser does not report it. */
  readonly limit: string | undefined;
  /** The bitrate that the encoder is to make, in bit/s. */
  readonly target: number | undefined;
  /** What the network carries of all that is sent, in bit/s. */
  readonly available: number | undefined;
}

export interface AutomaticSimulcast {
  /** Whether the smaller encodings are sent. */
  readonly isOn: boolean;
  /** Successive facts that are a reason for a change. */
  readonly reasons: number;
  /** Reasons that are needed to send the smaller encodings. */
  readonly needed: number;
}

const EVERY_MS = 2_000;
/** All encodings need 1.42 of the largest one. */
const HEADROOM = 1.6;
const REASONS_TO_END = 3;

export const ONE_ENCODING: AutomaticSimulcast = { isOn: false, reasons: 0, needed: 3 };

/**
 * Sends the smaller encodings where the largest one has its whole bitrate and the network has room for them, and ends
 * them where the largest one suffers. After that it waits longer, and for ever if the processor was too slow.
 */
export function nextAutomaticSimulcast(
  { isOn, reasons, needed }: AutomaticSimulcast,
  { limit, target = NaN, available = 0 }: SendingFacts,
): AutomaticSimulcast {
  const hasReason = isOn ? limit !== 'none' : limit === 'none' && available > target * HEADROOM;
  if (!hasReason) return { isOn, reasons: 0, needed };
  if (++reasons < (isOn ? REASONS_TO_END : needed)) return { isOn, reasons, needed };
  return { isOn: !isOn, reasons: 0, needed: !isOn ? needed : limit === 'cpu' ? Infinity : needed * 4 };
}

/** Adapts what is sent of a simulcast, until `signal` aborts. Does nothing for a video of one encoding. */
export function adaptSimulcast(peer: RTCPeerConnection, signal: AbortSignal): void {
  let state = ONE_ENCODING;
  const adapt = async (): Promise<void> => {
    const facts = factsOf(await peer.getStats());
    const sender = peer.getSenders().find(({ track }) => track?.kind === 'video');
    const parameters = sender?.getParameters();
    if (!parameters?.encodings[1]) return;
    if (/vp|264/i.test(`${parameters.codecs[0]?.mimeType}`)) state = nextAutomaticSimulcast(state, facts);
    const smaller = parameters.encodings.slice(0, -1);
    if (smaller[0]!.active === state.isOn) return;
    for (const encoding of smaller) encoding.active = state.isOn;
    await sender!.setParameters(parameters);
  };
  // After a fault, the next turn tries again.
  const turn = (): Promise<void> => adapt().catch(() => {});
  const timer = setInterval(turn, EVERY_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
  // An answer makes all encodings active in Chromium.
  void turn();
}

function factsOf(report: RTCStatsReport): SendingFacts {
  const all = [...report.values()];
  const largest = all.find(({ rid }) => rid === LARGEST);
  return {
    limit: largest?.qualityLimitationReason,
    target: largest?.targetBitrate,
    available: all.find(({ availableOutgoingBitrate }) => availableOutgoingBitrate)?.availableOutgoingBitrate,
  };
}
