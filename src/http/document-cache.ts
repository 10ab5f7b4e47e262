/** Parsed documents by their text, bounded by the length of the texts so that no client can fill the memory. */
import type { DocumentNode } from "graphql";

const MAX_TEXT_LENGTH = 32 * 1024;
const MAX_TOTAL_LENGTH = 1024 * 1024;

/** Forgets the longest unused first. */
export class DocumentCache {
  readonly #documents = new Map<string, DocumentNode>();
  #total = 0;

  get(text: string): DocumentNode | undefined {
    const document = this.#documents.get(text);
    if (document) {
      this.#documents.delete(text);
      this.#documents.set(text, document);
    }
    return document;
  }

  set(text: string, document: DocumentNode): void {
    if (text.length > MAX_TEXT_LENGTH || this.#documents.has(text)) return;
    this.#documents.set(text, document);
    this.#total += text.length;
    for (const oldest of this.#documents.keys()) {
      if (this.#total <= MAX_TOTAL_LENGTH) break;
      this.#documents.delete(oldest);
      this.#total -= oldest.length;
    }
  }
}
