import type { BenchResult } from './bench-result.js';
import { againstEcho } from './http/http-rounds.js';

/** Measures the director's call of a viewer. */
export async function run(): Promise<BenchResult> {
  return { name: 'viewer-call', ...(await againstEcho('viewer-call-server.ts')) };
}
