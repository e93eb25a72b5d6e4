export { ConfigError } from './config/config-error.js';
export { readConfig, type Config } from './config/config.js';
export { MediaError, type MediaEngine, type MediaEngineEvents, type MediaSession } from './media/media-engine.js';
export { DataDirError } from './store/database-errors.js';
export { DatabaseError } from './store/database-errors.js';
export { createStreamServer, type StreamServer, type StreamServerOptions } from './composition/stream-server.js';
