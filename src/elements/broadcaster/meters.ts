import type { ReactiveControllerHost } from 'lit';
import type { BroadcasterPhase } from '../../client/broadcaster/broadcaster-phase.js';
import type { Capture } from './devices/capture.js';
import { LevelMeterController } from './devices/level-meter-controller.js';
import { HealthController } from './health/health-controller.js';

export interface MetersHost extends ReactiveControllerHost {
  readonly isConnected: boolean;
  readonly renderRoot: HTMLElement | DocumentFragment;
  readonly phase: BroadcasterPhase;
}

export interface MetersConfig {
  readonly getStats: () => Promise<RTCStatsReport | undefined>;
  readonly isServerOverloaded: () => boolean;
}

/** Measures the microphone and the broadcast. Loaded after the first render, with the broadcaster. */
export class Meters {
  readonly level: LevelMeterController;
  /** Updates the host every second while it is live, and thereby the timer. */
  readonly health: HealthController;

  constructor(host: MetersHost, capture: Capture, { getStats, isServerOverloaded }: MetersConfig) {
    this.level = new LevelMeterController(
      host,
      () => capture.device('audio'),
      (level) => {
        const meter = host.renderRoot.querySelector<HTMLElement>('.level');
        meter?.style.setProperty('--level', String(level));
        meter?.setAttribute('aria-valuenow', String(Math.round(level * 100)));
      },
    );
    const isWanted = (): boolean => host.isConnected && host.phase.name === 'live';
    this.health = new HealthController(host, { getStats, isWanted }, isServerOverloaded);
  }
}
