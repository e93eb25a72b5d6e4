import type { EngineCapabilities } from '../media/engine/engine-capabilities.js';

/** What streams have at an upstream: WHIP and WHEP have no words for the rest. */
export const UPSTREAM_CAPABILITIES: EngineCapabilities = {
  layers: false,
  viewerCounts: false,
  resume: false,
  keepsViewers: false,
  frames: false,
  restrictsTracks: true,
  answersWaiting: false,
  limitsBitrate: false,
  measuresBitrate: false,
  offerFrom: 'viewer',
};
