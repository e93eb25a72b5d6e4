import type { BenchResult } from './bench-result.js';
import { againstEcho } from './http/http-rounds.js';

/** Measures the playlist of a viewer who watches live through a CDN, four hours after the broadcast began. */
export async function run(): Promise<BenchResult> {
  return { name: 'playlists', ...(await againstEcho('playlist-server.ts')) };
}
