import { Counter, Gauge, type Registry } from 'prom-client';
import type { MediaEngine } from '../media/engine/media-engine.js';
import type { MediaCounters, MediaProcessFigures } from '../media/engine/media-figures.js';
import type { MetricsPart } from './metrics.js';

const LABELS = ['worker'] as const;

const COUNTERS: Readonly<Record<keyof MediaCounters, readonly [name: string, help: string]>> = {
  packetsReceived: ['packets_received_total', 'Packets from publishers'],
  packetsLost: ['packets_lost_total', 'Packets from publishers that did not arrive when they were due'],
  packetsSent: ['packets_sent_total', 'Packets to viewers'],
  packetsMissed: ['packets_missed_total', 'Packets to viewers that they missed, by their reports'],
  packetsResent: ['packets_resent_total', 'Packets to viewers that were sent again'],
  failedSends: ['failed_sends_total', 'Packets to viewers that could not be sent'],
  keyframeRequests: ['keyframe_requests_total', 'Keyframe requests to publishers'],
  shedFrames: ['shed_frames_total', 'Frames of video that waited too long to be forwarded'],
  shedSoundPackets: ['shed_sound_packets_total', 'Packets of sound that waited too long to be forwarded'],
};

type GaugeName = Exclude<keyof MediaProcessFigures, keyof MediaCounters | 'worker'>;
interface GaugeDeclaration {
  readonly name: string;
  readonly help: string;
  /** From the unit of the figure to that of the metric. */
  readonly factor?: number;
}
const GAUGES: Readonly<Record<GaugeName, GaugeDeclaration>> = {
  publishers: { name: 'publishers', help: 'Sources that are published' },
  viewers: { name: 'viewers', help: 'Viewers that are connected' },
  streams: { name: 'streams', help: 'Streams with publishers or viewers' },
  roundTripMs: { name: 'round_trip_seconds', help: 'Round trip to viewers, the median', factor: 1 / 1_000 },
  availableBitrate: {
    name: 'available_bits_per_second',
    help: 'What the network of a viewer carries by estimate, the median',
  },
  eventLoopDelayMs: {
    name: 'event_loop_delay_seconds',
    help: 'How long packets waited at most in the last second',
    factor: 1 / 1_000,
  },
  eventLoopBusy: { name: 'event_loop_busy_ratio', help: 'How busy the event loop is, 0 to 1' },
  loadDegree: { name: 'load_degree', help: 'How much less is sent because of the load: 0 nothing less, 4 no video' },
};

/** The figures of the media processes, as each reported them within the last second. */
export function mediaMetrics(engine: Pick<MediaEngine, 'figures'>): MetricsPart {
  const figures = () => engine.figures?.() ?? [];
  return (registry) => {
    for (const [figure, [name, help]] of Object.entries(COUNTERS)) {
      addCounter(registry, { name: `streamgate_media_${name}`, help }, () => valuesOf(figure as keyof MediaCounters));
    }
    for (const [figure, { name, help, factor = 1 }] of Object.entries(GAUGES)) {
      addGauge(registry, { name: `streamgate_media_${name}`, help }, () => valuesOf(figure as GaugeName, factor));
    }
  };

  function* valuesOf(figure: keyof MediaCounters | GaugeName, factor = 1): Generator<Value> {
    for (const process of figures()) {
      const value = process[figure];
      if (value !== undefined) yield { worker: process.worker, value: value * factor };
    }
  }
}

interface Value {
  readonly worker: number;
  readonly value: number;
}
interface Named {
  readonly name: string;
  readonly help: string;
}

/** Media processes count by themselves, so the counter takes their values each time it is read. */
function addCounter(registry: Registry, named: Named, values: () => Iterable<Value>): void {
  const counter = new Counter({
    ...named,
    labelNames: LABELS,
    registers: [],
    collect() {
      this.reset();
      for (const { worker, value } of values()) this.inc({ worker }, value);
    },
  });
  registry.registerMetric(counter);
}

function addGauge(registry: Registry, named: Named, values: () => Iterable<Value>): void {
  const gauge = new Gauge({
    ...named,
    labelNames: LABELS,
    registers: [],
    collect() {
      this.reset();
      for (const { worker, value } of values()) this.set({ worker }, value);
    },
  });
  registry.registerMetric(gauge);
}
