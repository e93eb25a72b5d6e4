import { crowdCosts, type Cost, type CrowdCosts } from './crowd-costs.js';
import { mbpsOfViewer, sizeOfCrowd, sizeOfServer } from './crowd.js';

export const CROWDS = [1_000, 10_000, 100_000, 1_000_000] as const;

const number = (value: number, digits = 0) => value.toLocaleString('en-GB', { maximumFractionDigits: digits });
const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** The figures, the arithmetic and the sizes of crowds, as Markdown. */
export function crowdReport(crowds: readonly number[] = CROWDS, costs: CrowdCosts = crowdCosts): string {
  const of = (name: keyof CrowdCosts) => number(costs[name].value, 2);
  const server = sizeOfServer(costs);
  const { serversOfStream: servers } = server;
  const carried = servers * server.viewers - (servers - 1) * costs.relayedPackets.value;
  const sizes = crowds.map((viewers) => sizeOfCrowd(viewers, costs));
  return [
    '### The figures',
    '',
    row('figure', 'value', 'kind', 'source', 'date'),
    row('---', '---', '---', '---', '---'),
    ...Object.values<Cost>(costs).map(({ what, value, kind, source, date }) =>
      row(what, number(value, 2), kind, source, date),
    ),
    '',
    '### What one server carries',
    '',
    `- Packets to a viewer each second: ${of('streamKbps')} kbit/s ÷ 8 ÷ ${of('packetBytes')} bytes + ${of('soundPackets')} = ${number(server.packetsPerViewer)}.`,
    `- Viewers of a core: ${of('busy')} × 1,000,000 µs ÷ (${of('packetMicros')} µs × ${number(server.packetsPerViewer)}) = ${number(server.viewersPerCore)}.`,
    `- Viewers by cores: ${number(server.viewersPerCore)} × (${of('cores')} − 1) = ${number(server.byCores)}.`,
    `- Viewers by the network: ${of('busy')} × ${of('networkMbps')} Mbit/s ÷ ${number(mbpsOfViewer(costs), 2)} Mbit/s with headers = ${number(server.byNetwork)}.`,
    `- So one server carries ${number(server.viewers)} viewers, and another server costs the one with the broadcaster as much as ${of('relayedPackets')} of them.`,
    `- One media process sends a stream to all other servers. So it can be on 1 + ${number(server.viewersPerCore)} ÷ ${of('relayedPackets')} = ${number(servers)} servers, which carry ${number(servers)} × ${number(server.viewers)} − ${number(servers - 1)} × ${of('relayedPackets')} = ${number(carried)} viewers.`,
    '',
    '### Crowds',
    '',
    row(
      'viewers',
      'servers, WebRTC',
      'of the core with the broadcaster, for other servers',
      'traffic to viewers',
      'cores for joins',
      'HLS by CDN: cores for playlists',
      'HLS by CDN: traffic to it',
      'kind',
    ),
    row('--:', '--:', '--:', '--:', '--:', '--:', '--:', '---'),
    ...sizes.map((size) =>
      row(
        number(size.viewers),
        size.servers === undefined ? 'not possible' : number(size.servers),
        size.servers === undefined ? 'too much' : `${number(size.originShare * 100, 1)} %`,
        `${number(size.gbps, 1)} Gbit/s`,
        number(size.joinCores, 2),
        number(size.playlistCores, 2),
        `${number(size.toCdnMbps)} Mbit/s`,
        'extrapolated',
      ),
    ),
    '',
  ].join('\n');
}
