import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { createEmbeddedEngine } from '../media/embedded/embedded-engine.js';
import { JanusEngine } from '../media/janus/janus-engine.js';
import type { MediaEngine } from '../media/engine/media-engine.js';

/** Starts the media engine that the configuration names. @throws {MediaError} `engine_unavailable` */
export async function startEngine(config: Config, log: Logger): Promise<MediaEngine> {
  const { janus } = config;
  if (janus) {
    const maxBitrate = config.mediaMaxRembKbps * 1_000;
    return new JanusEngine({
      ...janus,
      maxBitrate,
      onLog: ({ level, message, ...fields }) => log[level](fields, message),
    });
  }
  return createEmbeddedEngine({
    bindAddress: config.mediaHost,
    udpPort: config.mediaUdpPort,
    tcpPort: config.mediaTcpPort,
    workers: config.mediaWorkers,
    announcedIps: config.mediaAnnouncedIps,
    sandboxed: config.mediaSandbox,
    maxRembBitrate: config.mediaMaxRembKbps * 1_000,
    onLog: ({ level, message, ...fields }) => log[level](fields, message),
  });
}
