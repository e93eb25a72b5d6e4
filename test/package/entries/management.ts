import { ManagementClient, type ManagementError } from 'streamgate/management';
import { holds, type Same } from './same.js';

const client = new ManagementClient({ endpoint: 'https://live.example.com', secret: 'sesame' });
const token = await client.publishTokens.create({ label: 'Studio', streams: [{ streamName: 'keynote' }] });
holds<Same<typeof token.subscribeRequiresAuth, boolean | undefined>>();
holds<Same<ManagementError['message'], string>>();
// @ts-expect-error: there is no such field
await client.publishTokens.create({ labels: 'Studio' });
