// The viewers of a stream, in a process of their own: they receive, request and report as browsers do.
import { LossyNetwork } from '../../test/support/media/lossy-network.js';
import type { PathConditions } from '../../test/support/media/simulated-path.js';
import { payloadType } from '../../server/media/embedded/rtp/packet.js';
import { PAYLOAD_TYPES } from '../../test/support/media/offer.js';
import { RtpPeer } from '../../test/support/media/rtp-peer.js';
import { BrowserReceiver } from '../media/browser-receiver.js';
import { BrowserReports, offeringFeedback } from '../media/browser-reports.js';
import { handleCalls, type Handlers } from '../support/bench-process.js';
import { attempt, within } from './misses.js';

const TICK_MS = 50;

interface Member {
  readonly peer: RtpPeer;
  readonly reports: BrowserReports;
  readonly receiver: BrowserReceiver;
  /** The link between server and viewer. Undefined: it loses nothing. */
  readonly link: Partial<PathConditions> | undefined;
  network: LossyNetwork | undefined;
  isOpen: boolean;
  framesBefore: number;
}

const members: Member[] = [];

setInterval(() => {
  const now = performance.now();
  for (const { receiver, isOpen } of members) if (isOpen) receiver.tick(now);
}, TICK_MS);

async function openMember(link: Partial<PathConditions> | undefined): Promise<Member> {
  const peer = await RtpPeer.open({ role: 'viewer', retransmissions: true });
  const send = (rtcp: Buffer) => {
    // The server may have ended it.
    if (member.isOpen && peer.isOpen) peer.send(rtcp);
  };
  const reports = new BrowserReports(send);
  const receiver = new BrowserReceiver(send);
  const member: Member = { peer, reports, receiver, link, network: undefined, isOpen: false, framesBefore: 0 };
  peer.onRtp = (packet) => {
    reports.receive(packet, payloadType(packet) === PAYLOAD_TYPES.vp8);
    receiver.receive(packet, performance.now());
  };
  return member;
}

/** Sends the packets of a viewer through its link. @returns the answer with the address of the link */
async function throughLink(member: Member, answer: string): Promise<string> {
  if (!member.link) return answer;
  const candidate = /^(a=candidate:\S+ 1 udp \d+ 127\.0\.0\.1 )(\d+)/im;
  const target = Number(candidate.exec(answer)?.[2]);
  member.network = await LossyNetwork.open({ target, down: member.link, seed: members.indexOf(member) });
  return answer.replace(candidate, `$1${member.network.port}`);
}

function closeMember(member: Member): void {
  member.isOpen = false;
  member.reports.close();
  member.peer.close();
  member.network?.close();
}

interface Answers {
  readonly first: number;
  readonly answers: readonly (string | null)[];
  readonly withinMs: number;
}

interface Range {
  readonly first: number;
  readonly count: number;
}

const handlers = {
  /** @returns the offers of further viewers, and the index of the first */
  async open({ count, link }: { count: number; link: Partial<PathConditions> | null }) {
    const opened = await Promise.all(Array.from({ length: count }, () => openMember(link ?? undefined)));
    const first = members.length;
    members.push(...opened);
    return { first, offers: opened.map(({ peer }) => offeringFeedback(peer.offer)) };
  },
  /** Applies the SDP answers, null where a viewer was refused. @returns how many viewers are connected */
  async accept({ first, answers, withinMs }: Answers): Promise<number> {
    const connected = await Promise.all(
      answers.map(async (answer, index) => {
        const member = members[first + index]!;
        if (answer !== null) {
          const accepting = throughLink(member, answer).then((sdp) => member.peer.accept({ answer: sdp }));
          member.isOpen = !((await attempt(within(withinMs, accepting, 'ICE'))) instanceof Error);
        }
        if (!member.isOpen) closeMember(member);
        return member.isOpen;
      }),
    );
    return connected.filter(Boolean).length;
  },
  /** They leave without a word, as tabs that are closed. */
  leave({ first, count }: Range): void {
    for (const member of members.slice(first, first + count)) if (member.isOpen) closeMember(member);
  },
  begin(): void {
    for (const member of members) member.framesBefore = member.receiver.frames;
  },
  /**
   * @returns the frames of each viewer who has not left, since `begin`; the keyframes that they asked for since they joined;
   *   how many of them the server ended
   */
  collect({ first, count }: Range): { frames: number[]; keyframeRequests: number; ended: number } {
    const asked = members.slice(first, first + count).filter(({ isOpen }) => isOpen);
    return {
      ended: asked.filter(({ peer }) => !peer.isOpen).length,
      frames: asked.map(({ receiver, framesBefore }) => receiver.frames - framesBefore),
      keyframeRequests: asked.reduce((sum, { receiver }) => sum + receiver.keyframeRequests, 0),
    };
  },
} satisfies Handlers;

export type Audience = typeof handlers;

handleCalls(handlers);
