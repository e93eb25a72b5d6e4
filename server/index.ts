export { ConfigError } from './config/config-error.js';
export { readConfig, type Config } from './config/config.js';
export { type MediaEngine, type MediaEngineEvents } from './media/engine/media-engine.js';
export { MediaError } from './media/engine/media-error.js';
export { type MediaSession } from './media/engine/media-session.js';
export { DataDirError } from './store/database-errors.js';
export { DatabaseError } from './store/database-errors.js';
export { createStreamServer, type StreamServer, type StreamServerOptions } from './composition/stream-server.js';
