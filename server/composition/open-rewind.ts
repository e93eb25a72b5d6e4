import type { Router } from 'express';
import { RewindPasses } from '../admission/rewind-passes.js';
import { SegmentKeys } from '../admission/segment-keys.js';
import type { Config } from '../config/config.js';
import { rewindRoutes, type RewindRoutesOptions } from '../http/rewind/rewind-routes.js';
import { segmentRoutes } from '../http/rewind/segment-routes.js';
import { RewindAccess, type RewindAccessOptions } from '../recording/hls/rewind-access.js';
import { Rewind, type RewindOptions } from '../recording/hls/rewind.js';
import type { ServerKeys } from '../store/keys/key-file.js';

export interface OpenRewindOptions
  extends
    Pick<RewindAccessOptions, 'admission' | 'streams' | 'viewings' | 'now'>,
    Pick<RewindRoutesOptions, 'places' | 'clientAddress' | 'turn'> {
  readonly config: Pick<Config, 'hlsCdnUrl'>;
  readonly keys: Pick<ServerKeys, 'grantKey'>;
  readonly recordings: RewindOptions;
}

export interface OpenedRewind {
  readonly access: RewindAccess;
  /** Of viewers. */
  readonly routes: Router;
  /** Of CDNs. */
  readonly segments: Router;
}

/** Lets viewers go back in what is recorded. */
export function openRewind(options: OpenRewindOptions): OpenedRewind {
  const { config, keys, recordings, places, clientAddress, turn, now } = options;
  const { hlsCdnUrl } = config;
  const segmentKeys = new SegmentKeys(keys.grantKey);
  const cdn = hlsCdnUrl === undefined ? undefined : { url: hlsCdnUrl, keys: segmentKeys, now };
  const rewind = new Rewind({ ...recordings, cdn });
  const access = new RewindAccess({ ...options, rewind, passes: new RewindPasses(keys.grantKey) });
  return {
    access,
    routes: rewindRoutes({ rewind, access, places, clientAddress, turn }),
    segments: segmentRoutes({ rewind, keys: segmentKeys, clientAddress, now }),
  };
}
