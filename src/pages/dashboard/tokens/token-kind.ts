export const tokenKinds = ['publish', 'subscribe'] as const;

/** `publish`: to broadcast. `subscribe`: to watch. */
export type TokenKind = (typeof tokenKinds)[number];
