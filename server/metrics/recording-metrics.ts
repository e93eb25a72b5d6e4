import type { EventEmitter } from 'node:events';
import { Counter, Gauge } from 'prom-client';
import type { RecordingControlEvents } from '../recording/recording-control.js';
import type { RecordingFaultCode } from '../recording/recording-record.js';
import type { MetricsPart } from './metrics.js';

/** Of these alerts can be made. */
const FAULTS_WHILE_LIVE = [
  'disk_full',
  'disk_failed',
  'disk_slow',
  'recorder_lost',
  'quota_exceeded',
] as const satisfies readonly RecordingFaultCode[];

export interface RecordingFigures {
  /** Recordings that are written now. */
  readonly active: number;
  /** Of the disk of the recordings. Undefined: not known now. */
  readonly freeBytes: number | undefined;
  /** Accounts whose recordings have used nine tenths of their space, and all of it. */
  readonly near: number;
  readonly full: number;
}

/** @param figures of a server that records */
export function recordingMetrics(
  control: EventEmitter<RecordingControlEvents>,
  figures: () => RecordingFigures,
): MetricsPart {
  return (registry) => {
    const faults = new Counter({
      name: 'streamgate_recording_faults_total',
      help: 'Faults that recordings of live sources met, by their code, such as disk_full, quota_exceeded or recorder_lost',
      labelNames: ['code'],
      registers: [registry],
    });
    // A series that began with 1 would have no increase.
    for (const code of FAULTS_WHILE_LIVE) faults.inc({ code }, 0);
    control.on('changed', ({ fault }) => {
      if (fault !== null) faults.inc({ code: fault });
    });
    const gauge = (name: string, help: string, of: (read: RecordingFigures) => number | undefined): void =>
      registry.registerMetric(
        new Gauge({
          name,
          help,
          registers: [],
          collect() {
            const value = of(figures());
            if (value === undefined) this.remove();
            else this.set(value);
          },
        }),
      );
    gauge('streamgate_recordings', 'Sources that are being recorded', ({ active }) => active);
    gauge(
      'streamgate_recordings_free_bytes',
      'What is free on the disk of the recordings, in bytes',
      ({ freeBytes }) => freeBytes,
    );
    registry.registerMetric(
      new Gauge({
        name: 'streamgate_recording_quotas',
        help: 'Accounts whose recordings have used nine tenths of their space (near), and all of it (full)',
        labelNames: ['level'],
        registers: [],
        collect() {
          const { near, full } = figures();
          this.set({ level: 'near' }, near);
          this.set({ level: 'full' }, full);
        },
      }),
    );
  };
}
