import { commandAnswer, type CommandAnswer } from '../wire/command-answer.js';
import { stoppedEvent } from '../wire/stream-event.js';
import type { StreamGrant } from '../wire/stream-grant.js';
import { authorize, type Access } from './authorize.js';
import { StreamError } from './errors.js';
import { peerConnected, watchPeer } from './peers.js';
import { openSignalling, signalledError } from './signalling.js';

export interface SessionPlan {
  readonly role: 'subscribe' | 'publish';
  readonly access: Access;
  readonly sessionKey?: string | undefined;
  readonly peer: RTCPeerConnection;
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

/**
 * One session from the call for leave to its end: it never resolves.
 * What can run side by side does: the time to the first picture is the sum of what cannot.
 *
 * @param signal aborting it closes socket and peer
 * @throws {StreamError} why it ended
 */
export async function runSession(plan: SessionPlan, signal: AbortSignal): Promise<never> {
  const { peer, shapeOffer = (sdp) => sdp } = plan;
  let end!: (why: unknown) => void;
  const ended = new Promise<never>((_, reject) => (end = reject));
  // Ended before anybody waits for it is no unhandled fault: whoever waits later is told.
  ended.catch(() => {});
  signal.addEventListener(
    'abort',
    () => {
      peer.close();
      end(signal.reason);
    },
    { once: true },
  );

  const offering = peer.createOffer();
  offering.catch(() => {});
  const grant = await authorize(plan.role, plan.access, signal, plan.sessionKey);
  plan.onAdmitted?.(grant);
  if (grant.iceServers.length > 0) peer.setConfiguration({ ...peer.getConfiguration(), iceServers: iceServers(grant) });

  const opening = openSignalling(grant.urls[0]!, grant.jwt, {
    signal,
    onLost: end,
    onEvent: (name, data) => {
      if (name === 'stopped') end(stopped(data));
      else plan.onEvent(name, data);
    },
  });
  opening.catch(() => {});
  const sdp = shapeOffer((await offering).sdp!);
  await peer.setLocalDescription({ type: 'offer', sdp });
  const { name, data } = plan.command;
  const socket = await opening;
  const answer = commandAnswer.safeParse(await Promise.race([socket.command(name, { ...data, sdp }), ended]));
  if (!answer.success) throw new StreamError('malformed_answer', `The service's answer to "${name}" cannot be read`);
  plan.onAnswer?.(answer.data);

  watchPeer(peer, signal, end);
  const connected = peerConnected(peer);
  connected.catch(() => {});
  await peer.setRemoteDescription({ type: 'answer', sdp: answer.data.sdp });
  await Promise.race([connected, ended]);
  signal.throwIfAborted();
  plan.onConnected();
  return ended;
}

function iceServers(grant: StreamGrant): RTCIceServer[] {
  return grant.iceServers.map(({ urls, username, credential }) => ({
    urls,
    ...(username !== undefined && { username }),
    ...(credential !== undefined && { credential }),
  }));
}

function stopped(data: unknown): StreamError {
  const event = stoppedEvent.safeParse(data);
  return signalledError(event.data?.code, event.data?.message);
}
