const { promise, resolve } = Promise.withResolvers<void>();

/** Resolves when the files of `node-tests.ts` are loaded. */
export const loading: Promise<void> = promise;
export const filesAreLoaded: () => void = resolve;
