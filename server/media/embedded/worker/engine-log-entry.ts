/** For the operator. It contains no SDP and no token. */
export interface EngineLogEntry {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [detail: string]: unknown;
}
