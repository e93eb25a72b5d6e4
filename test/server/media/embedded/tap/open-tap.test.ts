import { createEmbeddedEngine } from '../../../../../server/media/embedded/embedded-engine.js';
import { openTap } from '../../../../../server/media/embedded/tap/open-tap.js';
import { tapContract } from '../../tap.contract.js';

const LOOPBACK = { bindAddress: '127.0.0.1', udpPort: 0 };

tapContract('EmbeddedEngine', () => createEmbeddedEngine(LOOPBACK), openTap);
tapContract('EmbeddedEngine of two workers', () => createEmbeddedEngine({ ...LOOPBACK, workers: 2 }), openTap);
