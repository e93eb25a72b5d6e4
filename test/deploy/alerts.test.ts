import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { stringify } from 'yaml';
import { root, runCommand } from '../../scripts/run-command.js';
import { Cleanup } from '../support/cleanup.js';
import { dataFolder } from '../support/data-folder.js';
import { toolPath } from '../../scripts/tools.js';

const ALERTS = 'deploy/prometheus/alerts.yml';

const cleanup = new Cleanup();
after(() => cleanup.run());

const promtool = await toolPath('prometheus');
const folder = await dataFolder(cleanup);
copyFileSync(join(root, ALERTS), join(folder, 'alerts.yml'));

interface Case {
  /** Values of series by their names, one a minute, in the notation of promtool. */
  readonly series: Readonly<Record<string, string>>;
  readonly alert: string;
  readonly severity?: 'warning' | 'critical';
  /** In minutes. */
  readonly at: number;
}

/** Prometheus' own tool says whether an alert about the server `one` is sent. */
async function mustFire(fires: boolean, { series, alert, severity = 'warning', at }: Case): Promise<void> {
  const test = {
    rule_files: ['alerts.yml'],
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        promql_expr_test: [
          {
            expr: `count by (instance, severity) (ALERTS{alertname="${alert}", alertstate="firing"})`,
            eval_time: `${at}m`,
            exp_samples: fires ? [{ labels: `{instance="one", severity="${severity}"}`, value: 1 }] : [],
          },
        ],
      },
    ],
  };
  writeFileSync(join(folder, 'test.yml'), stringify(test));
  const { ok, output } = await runCommand(promtool, ['test', 'rules', 'test.yml'], { cwd: folder, quiet: true });
  assert.ok(ok, output);
}

/** A series of the server `one`. */
const of = (metric: string, labels = '') => `${metric}{job="streamgate", instance="one"${labels}}`;
const HOURS = 60;

describe(`of the alerts in ${ALERTS}`, () => {
  const down = { alert: 'StreamgateDown', severity: 'critical', series: { [of('up')]: '1x5 0x10' } } as const;

  it('one is sent when a server does not answer', () => mustFire(true, { ...down, at: 8 }));

  it('none is sent about a server that answers', () => mustFire(false, { ...down, at: 5 }));

  const grown = {
    alert: 'StreamgateMemoryGrows',
    series: {
      // 160 MB in 20 minutes, and no more.
      [of('process_resident_memory_bytes')]: '100e6+8e6x20 260e6x600',
      [of('process_start_time_seconds')]: '0x700',
    },
  };

  it('none is sent about the memory of a server that grew after its start', async () => {
    for (const at of [62, 2 * HOURS, 10 * HOURS]) await mustFire(false, { ...grown, at });
  });

  it('one is sent about memory that has grown for seven hours', async () => {
    const leaking = { ...grown, series: { ...grown.series, [of('process_resident_memory_bytes')]: '100e6+1.7e6x700' } };
    await mustFire(false, { ...leaking, at: 6 * HOURS });
    await mustFire(true, { ...leaking, at: 7 * HOURS + 2 });
  });

  const lossy = (missed: number) => ({
    alert: 'StreamgateViewersLosePackets',
    at: 20,
    series: {
      [of('streamgate_media_packets_missed_total')]: `0+${missed}x30`,
      [of('streamgate_media_packets_sent_total')]: '0+1000x30',
    },
  });

  it('one is sent when viewers miss 6 % of the packets', () => mustFire(true, lossy(60)));

  it('none is sent when viewers miss 4 % of the packets', () => mustFire(false, lossy(40)));

  const refusing = (calls: number) => ({
    alert: 'StreamgateRefusesMost',
    at: 40,
    series: {
      [of('streamgate_decisions_total', ', outcome="token_expired"')]: `0+${calls * 0.6}x60`,
      [of('streamgate_decisions_total', ', outcome="allowed"')]: `0+${calls * 0.4}x60`,
    },
  });

  it('one is sent when most of many calls are refused', () => mustFire(true, refusing(600)));

  it('none is sent when most of a few calls are refused', () => mustFire(false, refusing(6)));

  const recordingFails = { alert: 'StreamgateRecordingFails', severity: 'critical' } as const;
  const faults = of('streamgate_recording_faults_total', ', code="disk_full"');
  it('one is sent when a recording meets a fault', () =>
    mustFire(true, { ...recordingFails, series: { [faults]: '0x5 1x10' }, at: 8 }));
  it('none is sent of a fault of long ago', () =>
    mustFire(false, { ...recordingFails, series: { [faults]: '0x5 1x60' }, at: 40 }));

  const quota = of('streamgate_recording_quotas', ', level="near"');
  it('one is sent when an account comes near its space', () =>
    mustFire(true, { alert: 'StreamgateQuotaNear', series: { [quota]: '0x5 1x5' }, at: 8 }));

  const expiry = of('streamgate_certificate_expires_timestamp_seconds');
  for (const [days, fires] of [
    [6, true],
    [8, false],
  ] as const) {
    it(`${fires ? 'one' : 'none'} is sent ${days} days before the certificate expires`, () => {
      const series = { [expiry]: `${days * 86_400}x5` };
      return mustFire(fires, { alert: 'StreamgateCertificateExpires', severity: 'critical', series, at: 1 });
    });
  }

  it('one is sent when the disk of the recordings fills while something is recorded', () =>
    mustFire(true, {
      alert: 'StreamgateRecordingDiskFills',
      series: { [of('streamgate_recordings_free_bytes')]: '10000-50x200', [of('streamgate_recordings')]: '1x200' },
      at: 100,
    }));

  it('one is sent when a stream cannot be received from another server', () =>
    mustFire(true, {
      alert: 'StreamgateRelaysFail',
      series: { [of('streamgate_relays_given_up_total')]: '0x5 1x10' },
      at: 8,
    }));
});
