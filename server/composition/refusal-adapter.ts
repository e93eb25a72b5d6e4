import type { RuleRefusalCode } from '../../src/wire/director/refusal-code.js';
import type { RefusalRecorder } from '../admission/admission.js';
import type { Grant } from '../admission/grant.js';
import type { RefusalLog } from '../oversight/refusal-log.js';
import type { AccessRequest } from '../rules/access-request.js';
import type { SourceInUseLog } from '../sessions/sessions.js';

/** Writes the refusals of admission and of open sessions to the refusal log. */
export class RefusalAdapter implements RefusalRecorder, SourceInUseLog {
  readonly #log: Pick<RefusalLog, 'record'>;

  constructor(log: Pick<RefusalLog, 'record'>) {
    this.#log = log;
  }

  refused({ kind, accountId, token, streamName, origin, address }: AccessRequest, reason: RuleRefusalCode): void {
    this.#log.record({ kind, accountId, tokenId: token?.id ?? null, streamName, origin, address, reason });
  }

  sourceInUse({ accountId, tokenId, streamName, origin, address }: Grant): void {
    const reason = 'stream_in_use';
    this.#log.record({ kind: 'publish', accountId, tokenId, streamName, origin: origin ?? undefined, address, reason });
  }
}
