import { createHmac, createSecretKey } from 'node:crypto';

export interface SignedMessage {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The headers of Standard Webhooks 1.0: one signature for each key, so that a receiver with the old key and one with the
 * new key both find theirs.
 * @param keys in base64
 */
export function signatureHeaders({ id, timestamp, body }: SignedMessage, keys: readonly string[]) {
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = keys.map((key) => {
    const secret = createSecretKey(Buffer.from(key, 'base64'));
    return `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
