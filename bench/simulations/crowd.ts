import type { CrowdCosts } from './crowd-costs.js';

/** What the viewers of one stream take, each in its way. */
export interface CrowdSize {
  readonly viewers: number;
  /** How many servers send WebRTC to all viewers. Undefined: more than a stream can be on. */
  readonly servers: number | undefined;
  /** The part of its core that the media process with the broadcaster spends on the other servers. */
  readonly originShare: number;
  /** What all servers send to viewers, in Gbit/s. */
  readonly gbps: number;
  /** Cores that answer the director's calls while everybody comes. */
  readonly joinCores: number;
  /** With HLS through a CDN: cores that answer playlists. */
  readonly playlistCores: number;
  /** With HLS through a CDN: what the server sends to it, in Mbit/s. */
  readonly toCdnMbps: number;
}

/** What one server carries. */
export interface ServerSize {
  readonly packetsPerViewer: number;
  readonly viewersPerCore: number;
  readonly byCores: number;
  readonly byNetwork: number;
  readonly viewers: number;
  /** How many servers a stream can be on: one media process, on one core, sends it to the others. */
  readonly serversOfStream: number;
}

/** Headers of RTP, SRTP, UDP and IP, in bytes. */
const HEADERS = 12 + 16 + 8 + 20;
const SOUND_BYTES = 120;

export function sizeOfServer(costs: CrowdCosts): ServerSize {
  const of = (name: keyof CrowdCosts) => costs[name].value;
  const packetsPerViewer = Math.round((of('streamKbps') * 1_000) / 8 / of('packetBytes')) + of('soundPackets');
  const viewersPerCore = Math.floor((1_000_000 * of('busy')) / (of('packetMicros') * packetsPerViewer));
  const byCores = viewersPerCore * (of('cores') - 1);
  const byNetwork = Math.floor((of('networkMbps') * of('busy')) / mbpsOfViewer(costs));
  const serversOfStream = 1 + Math.floor(viewersPerCore / of('relayedPackets'));
  const viewers = Math.min(byCores, byNetwork);
  return { packetsPerViewer, viewersPerCore, byCores, byNetwork, viewers, serversOfStream };
}

/** What a viewer receives, in Mbit/s, with all headers. */
export function mbpsOfViewer(costs: CrowdCosts): number {
  const videoPackets = (costs.streamKbps.value * 1_000) / 8 / costs.packetBytes.value;
  const bytes = videoPackets * (costs.packetBytes.value + HEADERS) + costs.soundPackets.value * (SOUND_BYTES + HEADERS);
  return (bytes * 8) / 1_000_000;
}

export function sizeOfCrowd(viewers: number, costs: CrowdCosts): CrowdSize {
  const of = (name: keyof CrowdCosts) => costs[name].value;
  const { viewers: perServer, viewersPerCore, serversOfStream } = sizeOfServer(costs);
  // Each further server takes some capacity of the one that has the broadcaster, so that others are needed for it.
  let servers = Math.ceil(viewers / perServer);
  while (servers * perServer < viewers + (servers - 1) * of('relayedPackets') && servers <= viewers) servers += 1;
  const perSecond = viewers / of('joinSeconds');
  return {
    viewers,
    servers: servers <= serversOfStream ? servers : undefined,
    originShare: ((servers - 1) * of('relayedPackets')) / viewersPerCore,
    gbps: (viewers * mbpsOfViewer(costs)) / 1_000,
    joinCores: (perSecond * of('callMicros')) / 1_000_000 / of('busy'),
    playlistCores: ((viewers / of('playlistSeconds')) * of('playlistMicros')) / 1_000_000 / of('busy'),
    toCdnMbps: of('cdnLocations') * (of('streamKbps') / 1_000),
  };
}
