import { FolderStorage } from '../../../../server/recording/storage/folder-storage.js';
import { dataFolder } from '../../../support/data-folder.js';
import { recordingStorageContract } from './recording-storage.contract.js';

recordingStorageContract('a folder', async (cleanup) => new FolderStorage(await dataFolder(cleanup)));
