import { Directive, ElementRef, inject, Input } from '@angular/core';
import 'streamgate/define';
import type { StreamBroadcasterElement, StreamViewerElement } from 'streamgate/elements';

/** Declares the properties that a template can bind. Add those that you use. */
@Directive({ selector: 'stream-viewer' })
export class StreamViewer {
  readonly #tag = inject<ElementRef<StreamViewerElement>>(ElementRef).nativeElement;

  @Input() set streamName(value: string) {
    this.#tag.streamName = value;
  }

  @Input() set token(value: string) {
    this.#tag.token = value;
  }
}

@Directive({ selector: 'stream-broadcaster' })
export class StreamBroadcaster {
  readonly #tag = inject<ElementRef<StreamBroadcasterElement>>(ElementRef).nativeElement;

  @Input() set streamName(value: string) {
    this.#tag.streamName = value;
  }

  @Input() set token(value: string) {
    this.#tag.token = value;
  }

  @Input() set srcObject(value: MediaStream) {
    this.#tag.srcObject = value;
  }
}
