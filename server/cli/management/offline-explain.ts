import { Emitter } from '../../faults/emitter.js';
import { Admission } from '../../admission/admission.js';
import { TokenViewings } from '../../admission/token-viewings.js';
import type { CountrySource } from '../../admission/country-source.js';
import type { ExplainSource } from '../../http/management/explain-routes.js';
import type { MediaEngineEvents } from '../../media/engine/media-engine.js';
import { StreamRegistry } from '../../streams/stream-registry.js';
import { CredentialReader } from '../../tokens/credential-reader.js';
import { parentIdOf } from '../../tokens/self-signed-token.js';
import { TokenDirectory } from '../../tokens/token-directory.js';
import type { TokenStore } from '../../tokens/token-store.js';

/**
 * Explains requests from the database alone. Only the running server knows who is live: here every stream counts as
 * not live, every name as free, and no session as open.
 */
export function offlineExplain(
  store: Pick<TokenStore, 'find' | 'findByValue' | 'bindAddress'>,
  countries: CountrySource,
  now: () => number = Date.now,
): ExplainSource {
  const directory = new TokenDirectory();
  const admission = new Admission({
    credentials: new CredentialReader({ directory, now }),
    bindings: { bindAddress: async (id, address) => (await store.bindAddress(id, address, now())).binding },
    streams: new StreamRegistry(new Emitter<MediaEngineEvents>('media')),
    viewings: new TokenViewings(),
    countries,
    now,
    refusals: { refused() {} },
  });

  /** Loads only the token of the request: there may be a million tokens. */
  const load = async (value: string): Promise<void> => {
    const parentId = parentIdOf(value);
    const token = parentId === undefined ? await store.findByValue(value) : await store.find(parentId);
    if (token) directory.put(token);
  };
  return {
    admission: {
      async requestFor(kind, application) {
        if (application.token !== undefined) await load(application.token);
        return admission.requestFor(kind, application);
      },
    },
    findToken: (id) => store.find(id),
  };
}
