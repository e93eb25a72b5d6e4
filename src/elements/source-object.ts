/**
 * Gives a video its media if it has other. Not a binding of the template: Lit sets an object at every render, and a
 * video that is given even the same stream begins anew.
 */
export function setSourceObject(video: HTMLVideoElement, media: MediaStream | null = null): void {
  if (video.srcObject !== media) video.srcObject = media;
}
