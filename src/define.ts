import './define/stream-broadcaster.js';
import './define/stream-viewer.js';
