/**
 * Work that may be long: a generator that yields where it can be put down, each piece a few milliseconds.
 * It knows nothing of what is done, and there is no clock in it: the pieces are cut by amount, not by time.
 */
/** Each `yield` is a place where the server may do something else. */
export type Work<T> = Generator<void, T, void>;

/** Says when enough was done for one piece of work. */
export class Pace {
  #done = 0;

  /** Counts one value; whether to yield now. */
  isDue(): boolean {
    this.#done++;
    if (this.#done < VALUES_PER_PIECE) return false;
    this.#done = 0;
    return true;
  }
}

/** Does the work in one go. */
export function finish<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Does the work piece by piece: one piece of one work in a turn of the event loop, however many works there are. */
export function finishInPieces<T>(work: Work<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const doPiece = () => {
      try {
        const step = work.next();
        if (step.done) resolve(step.value);
        else waiting.push(doPiece);
      } catch (error) {
        reject(error);
      }
    };
    waiting.push(doPiece);
    if (waiting.length === 1) setImmediate(takeTurn);
  });
}

const VALUES_PER_PIECE = 1_024;

/** The next pieces of all works that are not finished; those that wait longest come first. */
const waiting: (() => void)[] = [];

function takeTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(takeTurn);
}
