import { logoType, MAX_LOGO_BYTES } from '../../../wire/management/theme.js';

/** Of the longer side, in pixels: enough for every place where a logo is shown. */
const LARGEST = 512;

/** The file is no image that this browser can show. */
export class UnreadableImageError extends Error {
  override name = 'UnreadableImageError';
}

/**
 * An image in base64, as the server takes it: smaller if it is too large.
 * @throws {UnreadableImageError}
 */
export async function logoOf(file: Blob): Promise<string> {
  const isAccepted = file.size <= MAX_LOGO_BYTES && logoType.safeParse(file.type).success;
  return await base64Of(isAccepted && (await isImage(file)) ? file : await smaller(file));
}

async function isImage(file: Blob): Promise<boolean> {
  (await imageOf(file)).close();
  return true;
}

async function imageOf(file: Blob): Promise<ImageBitmap> {
  return await createImageBitmap(file).catch((cause: unknown) => {
    throw new UnreadableImageError('not an image', { cause });
  });
}

async function smaller(file: Blob): Promise<Blob> {
  const image = await imageOf(file);
  const scale = Math.min(1, LARGEST / Math.max(image.width, image.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  // Browsers that cannot write WebP write PNG.
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.9));
  if (!blob || blob.size > MAX_LOGO_BYTES) throw new UnreadableImageError('the image could not be made smaller');
  return blob;
}

async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
