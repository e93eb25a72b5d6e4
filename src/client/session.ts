import { commandAnswer, type CommandAnswer } from '../wire/command-answer.js';
import { stoppedEvent } from '../wire/stream-event.js';
import type { StreamGrant } from '../wire/stream-grant.js';
import { authorize, type Access } from './authorize.js';
import { StreamError, UnreachableError } from './errors.js';
import { watchPeer } from './peers.js';
import { openSignalling, signalledError } from './signalling.js';

export interface SessionPlan {
  readonly role: 'subscribe' | 'publish';
  readonly access: Access;
  readonly sessionKey?: string | undefined;
  /** Called once, when the call for leave is under way. The session closes what it gets. */
  readonly openPeer: () => RTCPeerConnection;
  /** Last touch on the offer, before the browser and the server see it. */
  readonly shapeOffer?: (sdp: string) => string;
  /** The command that carries the offer; `sdp` is added to its data. */
  readonly command: { name: 'view' | 'publish'; data: object };
  readonly onAdmitted?: (grant: StreamGrant) => void;
  readonly onAnswer?: (answer: CommandAnswer) => void;
  /** Every event of the socket but `stopped`; some come before `onConnected`. */
  readonly onEvent: (name: string, data: unknown) => void;
  /** Media can flow. */
  readonly onConnected: () => void;
}

const CONNECT_WITHIN_MS = 15_000;

/**
 * One session from the call for leave to its end: it never resolves.
 *
 * @param signal must abort once this is over, too: it closes socket and peer
 * @throws {StreamError} why it ended
 */
export function runSession(plan: SessionPlan, signal: AbortSignal): Promise<never> {
  return new Promise((_, end) => {
    signal.addEventListener('abort', () => end(signal.reason), { once: true });
    connect(plan, signal, end).catch(end);
  });
}

/** What can run side by side does: the time to the first picture is the sum of what cannot. */
async function connect(plan: SessionPlan, signal: AbortSignal, end: (why: StreamError) => void): Promise<void> {
  const { shapeOffer = (sdp) => sdp } = plan;
  const asking = authorize(plan.role, plan.access, signal, plan.sessionKey);
  // The faults of these two are met where they are awaited, if nothing failed before.
  asking.catch(() => {});
  const peer = plan.openPeer();
  signal.addEventListener('abort', () => peer.close(), { once: true });
  const offering = peer.createOffer();
  offering.catch(() => {});
  const grant = await asking;
  plan.onAdmitted?.(grant);
  useIceServers(peer, grant);

  let isAnswered = false;
  const deadline = setTimeout(() => end(tooLate(isAnswered)), CONNECT_WITHIN_MS);
  signal.addEventListener('abort', () => clearTimeout(deadline), { once: true });
  const opening = openSignalling(grant.urls[0]!, grant.jwt, {
    signal,
    onLost: end,
    onEvent: (name, data) => {
      if (name === 'stopped') end(stopped(data));
      else plan.onEvent(name, data);
    },
  });
  const sdp = shapeOffer((await offering).sdp!);
  await peer.setLocalDescription({ type: 'offer', sdp });
  const { name, data } = plan.command;
  const socket = await opening;
  const answer = commandAnswer.safeParse(await socket.command(name, { ...data, sdp })).data;
  if (!answer) throw new StreamError('malformed_answer', `The service's answer to "${name}" cannot be read`);
  isAnswered = true;
  plan.onAnswer?.(answer);

  watchPeer(peer, signal, {
    onConnected: () => {
      clearTimeout(deadline);
      plan.onConnected();
    },
    onLost: end,
  });
  await peer.setRemoteDescription({ type: 'answer', sdp: answer.sdp });
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

function stopped(data: unknown): StreamError {
  const { code, message } = stoppedEvent.safeParse(data).data ?? {};
  return signalledError(code, message);
}
