import type { TestServer } from './stream-server.js';

/** The ids of the media sessions that are connected from now on, in order. */
export function mediaSessionsOf({ engine }: TestServer): readonly string[] {
  const ids: string[] = [];
  const { publish, view } = engine;
  engine.publish = async (...call) => {
    const session = await publish.apply(engine, call);
    ids.push(session.id);
    return session;
  };
  engine.view = async (...call) => {
    const session = await view.apply(engine, call);
    ids.push(session.id);
    return session;
  };
  return ids;
}
