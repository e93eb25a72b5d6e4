export { ConfigError, readConfig, type Config } from './config.js';
export { MediaError, type MediaEngine, type MediaEngineEvents, type MediaSession } from './media/media-engine.js';
export { DataDirError } from './store/database.js';
export { DatabaseError } from './store/postgres.js';
export { createStreamServer, type StreamServer, type StreamServerParts } from './stream-server.js';
