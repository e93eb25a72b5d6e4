export { ConfigError, readConfig, type Config } from './config/config.js';
export { MediaError, type MediaEngine, type MediaEngineEvents, type MediaSession } from './media/media-engine.js';
export { DataDirError } from './store/database.js';
export { DatabaseError } from './store/postgres/postgres-dialect.js';
export { createStreamServer, type StreamServer, type StreamServerOptions } from './stream-server.js';
