import type { FinishedFile, GroupRange, Packager, PartIndex } from '../packager.js';

/** The calls of a `Packager` that its process answers, with their arguments and results. */
export interface PackagerCalls {
  readPart: { args: Parameters<Packager['readPart']>; result: PartIndex };
  finish: { args: Parameters<Packager['finish']>; result: FinishedFile };
  initSegment: { args: Parameters<Packager['initSegment']>; result: Uint8Array };
  segment: { args: [range: GroupRange, zero: number]; result: Uint8Array };
}

export type PackagerCall = {
  [Name in keyof PackagerCalls]: {
    readonly type: Name;
    readonly id: number;
    readonly args: PackagerCalls[Name]['args'];
  };
}[keyof PackagerCalls];

export type MessageToPackager = PackagerCall | { readonly type: 'ping' } | { readonly type: 'close' };

export type MessageFromPackager =
  | { readonly type: 'ready' }
  | { readonly type: 'pong' }
  | { readonly type: 'done'; readonly id: number; readonly result: unknown }
  | { readonly type: 'failed'; readonly id: number; readonly reason: PackagerFailure; readonly message: string };

/**
 * `unreadable`: the recorded files cannot be used, and trying again does not help. `disk_full`, `disk_failed`: the
 * result cannot be written. `unavailable`: the process of the packager ended. `failed`: anything else.
 */
export type PackagerFailure = 'unreadable' | 'disk_full' | 'disk_failed' | 'unavailable' | 'failed';

/** A call of the packager failed. */
export class PackagerError extends Error {
  override name = 'PackagerError';

  constructor(
    message: string,
    readonly reason: PackagerFailure,
  ) {
    super(message);
  }
}
