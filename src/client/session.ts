import type { StreamGrant } from '../wire/stream-grant.js';
import type { Admission } from './admission.js';
import { StreamError, UnreachableError } from './errors.js';
import { watchMedia } from './media-watch.js';
import { text } from './reading.js';
import { EarlySignalling } from './early-signalling.js';
import { openSignalling, signalledError, type Signalling } from './signalling.js';

export interface SessionPlan {
  readonly admission: Admission;
  /** Called when the call for leave is under way, for each way in that is tried. The session closes what it gets. */
  readonly openPeer: () => RTCPeerConnection;
  /** Last touch on an offer, before the browser and the server see it. */
  readonly shapeOffer?: (sdp: string) => string;
  /** The command that carries the offer; `sdp` is added to its data. */
  readonly command: { readonly name: 'view' | 'publish'; readonly data: object };
  /** The last command of who leaves for good. */
  readonly farewell?: string;
  readonly onAdmitted?: (grant: StreamGrant) => void;
  /** The service took the command; further ones go the same way. */
  readonly onAnswer?: (signalling: Signalling) => void;
  /** Every event of the socket but `stopped` and `migrate`; some come before `onConnected`. */
  readonly onEvent: (name: string, data: unknown) => void;
  /** This session will end soon. */
  readonly onMigrate: () => void;
  /** Media can flow. */
  readonly onConnected: () => void;
}

const CONNECT_WITHIN_MS = 15_000;
/** Who has another way in does not wait long at the first. */
const RETURN_WITHIN_MS = 5_000;

/**
 * One session from the way in to its end: it never resolves. Where the last one left a way back, that is tried
 * first, and the director is asked only when it is refused.
 *
 * @param signal must abort once this is over, too: it closes socket and peer
 * @throws {StreamError} why it ended
 */
export async function runSession(plan: SessionPlan, signal: AbortSignal): Promise<never> {
  try {
    return await comeIn(plan, signal);
  } catch (error) {
    throw plan.admission.verdict(error);
  }
}

async function comeIn(plan: SessionPlan, signal: AbortSignal): Promise<never> {
  const back = plan.admission.takeBack();
  if (back) {
    const life = new AbortController();
    const late = setTimeout(() => life.abort(), RETURN_WITHIN_MS);
    let isIn = false;
    const onAnswer = (signalling: Signalling): void => {
      clearTimeout(late);
      isIn = true;
      plan.onAnswer?.(signalling);
    };
    try {
      return await enter({ ...plan, onAnswer }, Promise.resolve(back), AbortSignal.any([signal, life.signal]));
    } catch (error) {
      if (isIn || signal.aborted) throw error;
    } finally {
      clearTimeout(late);
      life.abort();
    }
  }
  const { earlyUrl } = plan.admission;
  return enter(plan, plan.admission.ask(signal), signal, earlyUrl);
}

function enter(
  plan: SessionPlan,
  asking: Promise<StreamGrant>,
  signal: AbortSignal,
  earlyUrl?: string,
): Promise<never> {
  return new Promise((_, end) => {
    signal.addEventListener('abort', () => end(signal.reason), { once: true });
    connect(plan, asking, signal, end, earlyUrl).catch(end);
  });
}

/** What can run side by side does: the time to the first picture is the sum of what cannot. */
async function connect(
  plan: SessionPlan,
  asking: Promise<StreamGrant>,
  signal: AbortSignal,
  end: (why: StreamError) => void,
  earlyUrl: string | undefined,
): Promise<void> {
  const { admission, command, shapeOffer = (sdp) => sdp } = plan;
  // The faults of these two are met where they are awaited, if nothing failed before.
  asking.catch(() => {});
  const heard = {
    signal,
    farewell: plan.farewell,
    onEvent: (name: string, data: unknown): void => {
      if (name === 'stopped') end(signalledError(text(data, 'code'), text(data, 'message')));
      else if (name === 'migrate') {
        // The director names the place to go to.
        admission.takeBack();
        plan.onMigrate();
      } else plan.onEvent(name, data);
    },
  };
  const peer = plan.openPeer();
  // After the goodbye on the socket: whose media ends before it is taken for lost, and his name is kept from everybody.
  signal.addEventListener('abort', () => queueMicrotask(() => peer.close()), { once: true });
  const offering = peer.createOffer();
  offering.catch(() => {});
  // After the peer, which a browser takes longest to make ready.
  const early = earlyUrl === undefined ? undefined : new EarlySignalling(earlyUrl, heard);
  const grant = await asking;
  plan.onAdmitted?.(grant);
  useIceServers(peer, grant);

  let isAnswered = false;
  const deadline = setTimeout(() => end(tooLate(isAnswered)), CONNECT_WITHIN_MS);
  signal.addEventListener('abort', () => clearTimeout(deadline), { once: true });
  const opening = (async () =>
    (await early?.enter(grant, end)) ??
    openSignalling(`${grant.urls[0]!}?token=${grant.jwt}`, { ...heard, onLost: end }))();
  opening.catch(() => {});

  const negotiate = async (offer: RTCSessionDescriptionInit, name: string, data: object): Promise<unknown> => {
    const sdp = shapeOffer(offer.sdp!);
    const setting = peer.setLocalDescription({ type: 'offer', sdp });
    // Both at once: the server has no address of ours to hurry to.
    const [answer] = await Promise.all([opening.then((socket) => socket.command(name, { ...data, sdp })), setting]);
    return answer;
  };
  const accept = async (answer: unknown, name: string): Promise<void> => {
    const sdp = text(answer, 'sdp');
    if (sdp === undefined) {
      throw new StreamError('malformed_answer', `The service's answer to "${name}" cannot be read`);
    }
    await peer.setRemoteDescription({ type: 'answer', sdp });
  };

  const answer = await negotiate(await offering, command.name, command.data);
  isAnswered = true;
  admission.keep(grant, answer);
  plan.onAnswer?.(await opening);
  watchMedia(peer, signal, {
    onConnected: () => {
      clearTimeout(deadline);
      admission.keepFresh(signal, plan.onMigrate);
      plan.onConnected();
    },
    onLost: end,
    renew: async () => {
      peer.restartIce();
      await accept(await negotiate(await peer.createOffer(), 'renew', {}), 'renew');
    },
  });
  await accept(answer, command.name);
}

function tooLate(isAnswered: boolean): StreamError {
  return isAnswered
    ? new UnreachableError('Media cannot get through from here; a firewall may block UDP', 'media_lost')
    : new UnreachableError('The streaming service does not answer');
}

/** Set while the offer is made: no candidate is looked for before it is the peer's own description. */
function useIceServers(peer: RTCPeerConnection, { iceServers = [] }: StreamGrant): void {
  if (iceServers.length > 0)
    peer.setConfiguration({ ...peer.getConfiguration(), iceServers: iceServers as RTCIceServer[] });
}
