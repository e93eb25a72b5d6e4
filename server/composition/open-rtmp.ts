import type { Config } from '../config/config.js';
import { RtmpListener, type RtmpListenerOptions } from '../ingest/rtmp/rtmp-listener.js';
import { findTranscoders } from '../ingest/rtmp/transcoders/find-transcoders.js';
import type { CertificateFollower } from '../tls/certificate-follower.js';

export interface OpenRtmpOptions extends Pick<RtmpListenerOptions, 'admission' | 'entrance' | 'sessions' | 'log'> {
  readonly config: Config;
  readonly certificates: CertificateFollower | undefined;
}

/** Where encoders connect over RTMP. @returns null: the configuration says that they cannot */
export async function openRtmp({ config, certificates, ...services }: OpenRtmpOptions): Promise<RtmpListener | null> {
  const { rtmpPort: port, rtmpHost: host } = config;
  if (port === undefined) return null;
  const { log } = services;
  const transcoders = await findTranscoders(config, { log });
  const listener = await RtmpListener.open({ host, port, certificates, transcoders, ...services });
  log.info({ port: listener.port, tls: certificates !== undefined }, 'encoders can connect over RTMP');
  return listener;
}
