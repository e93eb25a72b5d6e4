/** Where a fault was contained: a label of a metric, so that there are few, all known beforehand. */
export const FAULT_PARTS = [
  'accounts',
  'admission',
  'cluster',
  /** Not a fault of ours: a notification that this version does not know, or that no server sent. It is ignored. */
  'cluster_message',
  'health',
  'http',
  'ingest',
  'media',
  /** In a media process. */
  'media_process',
  'oversight',
  'outbound',
  'recording',
  'server',
  'sessions',
  'signalling',
  'statistics',
  'storage',
  /** A row of the database that cannot be read. */
  'stored_row',
  'streams',
  'tokens',
  'upstream',
  'webhooks',
] as const;

export type FaultPart = (typeof FAULT_PARTS)[number];

/** What a fault belongs to, and what it cost. */
export interface FaultOwner {
  readonly session?: string;
  readonly stream?: string;
}

/** A fault that cost one message, session, stream or row, and nothing else. */
export interface Fault {
  readonly part: FaultPart;
  readonly error: unknown;
  /** For the log. */
  readonly of: FaultOwner;
  /** More than one: faults that are told together. */
  readonly count: number;
}

type FaultListener = (fault: Fault) => void;

const listeners = new Set<FaultListener>();
/** Without a listener a fault is not hidden: it reaches `uncaughtException`, as in a test of one part. */
let unheard: FaultListener = ({ error }) => {
  queueMicrotask(() => {
    throw error;
  });
};

/**
 * Follows the faults of this process: with several servers in one process, each of them hears all.
 * @returns ends it
 */
export function followFaults(listener: FaultListener): () => void {
  listeners.add(listener);
  // A server that was closed does not end the process that it was mounted in.
  unheard = ({ error }) => process.emitWarning(error instanceof Error ? error : String(error));
  return () => void listeners.delete(listener);
}

/** Counts and logs a fault. Never throws. */
export function reportFault(
  part: FaultPart,
  error: unknown,
  { of = {}, count = 1 }: { readonly of?: FaultOwner; readonly count?: number } = {},
): void {
  const fault: Fault = { part, error, of, count };
  if (listeners.size === 0) return unheard(fault);
  for (const listener of listeners) {
    try {
      listener(fault);
    } catch {
      // A log that fails must not end what it was to tell of.
    }
  }
}
