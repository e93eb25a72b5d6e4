import { Sfu } from '../../../../server/media/embedded/sfu.js';
import { networkHarness } from '../../../support/media/media-harness.js';
import { mediaEngineContract } from '../media-engine.contract.js';

mediaEngineContract('Sfu', async () => networkHarness(await Sfu.open({ bindAddress: '127.0.0.1', udpPort: 0 })));
