import type { TestServer } from './stream-server.js';

/** The ids of the media sessions that begin from now on, in the order in which they were asked for. */
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
